import type { Kysely } from 'kysely';
import type { WallAdmin } from '#contract/wall-admin.ts';
import type { Config } from '../config.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { putSetting, readSetting } from '../db/wall-setting-rows.ts';

/** The key in `wall_settings` of the outcome of the last letter of any process. */
const key = 'mail_state';

/** Why letters are not sent and what to do about it, in words for an owner who does not run the machine. */
const reasons = {
  away: 'Почтовый сервер не отвечает. Попросите того, кто ставил стену, проверить, работает ли он и верен ли его адрес.',
  name: 'Почтового сервера с таким именем не нашлось. Попросите того, кто ставил стену, проверить его адрес.',
  tls: 'С почтовым сервером не вышло защищённого соединения. Попросите того, кто ставил стену, проверить порт и сертификат.',
  login: 'Почтовый сервер не принял имя и пароль. Попросите того, кто ставил стену, проверить их.',
  sender:
    'Почтовый сервер не берёт писем от имени этой стены. Попросите того, кто ставил стену, проверить адрес отправителя.',
  later:
    'Почтовый сервер просит подождать, и стена пробует снова сама. Если через час ничего не изменится, попросите того, кто ставил стену, узнать, нет ли на сервере ограничений.',
  other: 'Почтовый сервер не берёт писем. Попросите того, кто ставил стену, прочесть, что он отвечает.',
};

type Reason = keyof typeof reasons;

/** The properties that errors of the transport have. */
export interface SmtpError extends Error {
  responseCode?: number;
  code?: string;
  /** The code of the system error behind `code`. */
  originalCode?: string;
  command?: string;
  /** The response of the mail server. */
  response?: string;
}

function reasonOf({ code = '', originalCode = code, responseCode = 0, command }: SmtpError): Reason {
  if (responseCode >= 400 && responseCode < 500) return 'later';
  // 530: the server takes mail only after a login.
  if (code === 'EAUTH' || responseCode === 530) return 'login';
  if (command === 'MAIL FROM') return 'sender';
  if (code === 'EDNS' || originalCode === 'ENOTFOUND') return 'name';
  if (code === 'ETLS' || /CERT|SIGN|SSL|TLS/.test(originalCode)) return 'tls';
  return ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT'].includes(code) ? 'away' : 'other';
}

/** Masks a response of a mail server, which may repeat addresses, codes and links that sign in. */
export const withoutSecrets = (response: string, publicUrl: string): string =>
  response
    .slice(0, 300)
    .split(' ')
    .map((word) => (word.includes('@') || word.includes(publicUrl) ? '…' : word.replaceAll(/\d{6,}/g, '…')))
    .join(' ');

/** Whether a refusal is about this mail. A refusal of the login, the sender or the connection can be mended by the operator. */
const isAboutThisMail = ({ command = '' }: SmtpError): boolean => command === 'RCPT TO' || command === 'DATA';

/** Whether the mail can never be sent. */
export const isFinal = (error: SmtpError): boolean => (error.responseCode ?? 0) >= 500 && isAboutThisMail(error);

type Outcome = { state: 'left'; at: number } | { state: 'refused'; at: number; reason: Reason; said: string };

/** A try to send a letter. Without `error` the mail server has accepted it. */
interface Tried {
  error?: SmtpError;
  publicUrl: string;
  now: number;
}

const minuteOf = ({ at }: Outcome): number => Math.floor(at / 60);

/** A temporary refusal of one recipient does not count within this time after the mail server has accepted another letter. */
const trustSeconds = 3_600;

/**
 * Records the outcome of a try. All processes share one row, so it is written only when the outcome differs or a new minute has
 * begun. The final refusal of one recipient or letter says nothing about the mail of the wall and is not recorded.
 */
export async function recordMail(tx: Tx, { error, publicUrl, now }: Tried): Promise<void> {
  if (error && isFinal(error)) return;
  const before = await storedOutcome(tx.db);
  const hasLeft = before?.state === 'left' && now - before.at < trustSeconds;
  if (error && hasLeft && isAboutThisMail(error)) return;
  const outcome: Outcome = error
    ? {
        state: 'refused',
        at: now,
        reason: reasonOf(error),
        said: withoutSecrets(error.response ?? error.message, publicUrl),
      }
    : { state: 'left', at: now };
  const isKnown = before && minuteOf(before) === minuteOf(outcome) && meaningOf(before) === meaningOf(outcome);
  if (!isKnown) await putSetting(tx, key, JSON.stringify(outcome));
}

const meaningOf = (outcome: Outcome): string => (outcome.state === 'left' ? 'left' : outcome.reason);

async function storedOutcome(db: Kysely<Schema>): Promise<Outcome | undefined> {
  const stored = await readSetting(db, key);
  return stored === undefined ? undefined : (JSON.parse(stored) as Outcome);
}

/** The state of the wall's mail, for owners. */
export async function readMail(
  { read }: Pick<Database, 'read'>,
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
): Promise<WallAdmin['mail']> {
  const nothing = { at: null, reason: null, said: null };
  if (smtpUrl === undefined) return { state: 'none', ...nothing };
  const outcome = await storedOutcome(read);
  if (!outcome) return { state: 'untried', ...nothing };
  const { state, at } = outcome;
  if (state === 'left') return { ...nothing, state, at };
  // Another version of the program may have stored a reason that is not known here.
  return { state, at, reason: reasons[outcome.reason] ?? reasons.other, said: outcome.said };
}
