import type { Kysely } from 'kysely';
import type { WallAdmin } from '#contract/wall-admin.ts';
import type { Config } from '../config.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { lockSetting, putSetting, readSetting } from '../db/wall-setting-rows.ts';
import {
  isAboutThisMail,
  isFinal,
  type Reason,
  reasonOf,
  type SmtpError,
  withoutSecrets,
  wordsOf,
} from './refusals.ts';

/** The keys in `wall_settings` of the outcome of the last letter and of the letters of a day, of all processes. */
const keys = { outcome: 'mail_state', letters: 'mail_letters' };

/** Why letters are not sent and what to do about it, in words for an owner who does not run the machine. */
const reasons: Record<Reason, string> = {
  away: 'Почтовый сервер не отвечает. Попросите того, кто ставил стену, проверить, работает ли он и верен ли его адрес.',
  name: 'Почтового сервера с таким именем не нашлось. Попросите того, кто ставил стену, проверить его адрес.',
  tls: 'С почтовым сервером не вышло защищённого соединения. Попросите того, кто ставил стену, проверить порт и сертификат.',
  login: 'Почтовый сервер не принял имя и пароль. Попросите того, кто ставил стену, проверить их.',
  sender:
    'Почтовый сервер не берёт писем от имени этой стены. Попросите того, кто ставил стену, проверить адрес отправителя.',
  limit:
    'Почтовый сервер ответил, что писем слишком много или что они похожи на спам. Если так будет и завтра, попросите того, кто ставил стену, узнать, сколько писем в сутки он берёт.',
  later:
    'Почтовый сервер просит подождать, и стена пробует снова сама. Если через час ничего не изменится, попросите того, кто ставил стену, узнать, нет ли на сервере ограничений.',
  other: 'Почтовый сервер не берёт писем. Попросите того, кто ставил стену, прочесть, что он отвечает.',
};

type Outcome =
  | { state: 'left'; at: number }
  | {
      state: 'refused';
      at: number;
      reason: Reason;
      said: string;
      /** The mail is held until a letter is accepted after this time. */
      heldUntil?: number;
    };

/** A try to send a letter. Without `error` the mail server has accepted it. */
interface Tried {
  error?: SmtpError | undefined;
  publicUrl: string;
  now: number;
}

const minuteOf = ({ at }: Outcome): number => Math.floor(at / 60);

/** A temporary refusal of one recipient does not count within this time after the mail server has accepted another letter. */
const trustSeconds = 3_600;
/** After a refusal that speaks of limits or spam. Providers prolong their block with every try. */
const holdSeconds = 3_600;
const heldPauseSeconds = 600;

/** Until when the mail is held; a past time means that it is held until the next letter is accepted. */
function heldUntilOf(outcome: Outcome | undefined, now: number): number | undefined {
  const until = outcome?.state === 'refused' ? outcome.heldUntil : undefined;
  // A later time was recorded by a clock that was ahead.
  return until !== undefined && until <= now + holdSeconds ? until : undefined;
}

/**
 * Records the outcome of a try. All processes share one row, so it is written only when the outcome differs or a new minute has
 * begun. The final refusal of one recipient or letter says nothing about the mail of the wall and is not recorded. Resolves to the
 * time until which the mail is held, if this refusal holds it.
 */
export async function recordMail(tx: Tx, { error, publicUrl, now }: Tried): Promise<number | undefined> {
  if (error && isFinal(error)) return undefined;
  const before = await storedOutcome(tx.db);
  const held = heldUntilOf(before, now);
  const reason = error && reasonOf(error);
  if (held !== undefined && reason !== 'limit' && (error || now < held)) return undefined;
  const hasLeft = before?.state === 'left' && now - before.at < trustSeconds;
  if (error && hasLeft && isAboutThisMail(error)) return undefined;
  const begins = reason === 'limit' && (held === undefined || now >= held);
  const heldUntil = begins ? now + holdSeconds : reason === 'limit' ? held : undefined;
  const outcome: Outcome = error
    ? {
        state: 'refused',
        at: now,
        reason: reason!,
        said: withoutSecrets(wordsOf(error), publicUrl),
        ...(heldUntil !== undefined && { heldUntil }),
      }
    : { state: 'left', at: now };
  const isKnown = before && minuteOf(before) === minuteOf(outcome) && meaningOf(before) === meaningOf(outcome);
  if (!isKnown || begins) await putSetting(tx, keys.outcome, JSON.stringify(outcome));
  return begins ? heldUntil : undefined;
}

const meaningOf = (outcome: Outcome): string => (outcome.state === 'left' ? 'left' : outcome.reason);

async function storedOutcome(db: Kysely<Schema>): Promise<Outcome | undefined> {
  const stored = await readSetting(db, keys.outcome);
  return stored === undefined ? undefined : (JSON.parse(stored) as Outcome);
}

/** The letters that were given to the mail server. */
interface Letters {
  /** By the unix time divided by an hour. */
  hours: Record<string, number>;
  /** When the last one was given. */
  triedAt: number;
}

const noLetters: Letters = { hours: {}, triedAt: 0 };
const hourOf = (at: number): number => Math.floor(at / 3_600);

/** Whether an hour belongs to the last 24 hours. A later hour was recorded by a clock that was ahead. */
const isOfDay = (hour: number, now: number): boolean => Math.abs(hourOf(now) - hour) <= 24;

async function storedLetters(db: Kysely<Schema>): Promise<Letters> {
  const stored = await readSetting(db, keys.letters);
  return (stored === undefined ? undefined : (JSON.parse(stored) as Letters | null)) ?? noLetters;
}

const lettersOfDay = ({ hours }: Letters, now: number): number =>
  Object.entries(hours).reduce((sum, [hour, count]) => sum + (isOfDay(Number(hour), now) ? count : 0), 0);

/** Of the letters of a day, those that only codes may use. */
const reserveOf = (lettersPerDay: number): number => Math.ceil(lettersPerDay / 4);

export interface Bounds {
  /** Undefined: any number. */
  lettersPerDay: number | undefined;
  now: number;
}

/** How many letters may be given to the mail server now, and how many of them may be others than codes. */
export interface Room {
  all: number;
  others: number;
  isHeld: boolean;
}

export const endlessRoom: Room = { all: Infinity, others: Infinity, isHeld: false };

export async function readRoom(db: Kysely<Schema>, { lettersPerDay, now }: Bounds): Promise<Room> {
  const outcome = await storedOutcome(db);
  const held = heldUntilOf(outcome, now);
  if (held === undefined && lettersPerDay === undefined) return endlessRoom;
  const letters = await storedLetters(db);
  const left = (lettersPerDay ?? Infinity) - lettersOfDay(letters, now);
  const day = { all: Math.max(0, left), others: Math.max(0, left - reserveOf(lettersPerDay ?? 0)) };
  if (held === undefined) return { ...day, isHeld: false };
  // A time ahead was recorded by a clock that was ahead.
  const isPause = [outcome!.at, letters.triedAt].some((at) => at <= now && now < at + heldPauseSeconds);
  const most = isPause ? 0 : 1;
  return { all: Math.min(most, day.all), others: now < held ? 0 : Math.min(most, day.others), isHeld: true };
}

/** Reads the room and keeps other processes from using it until the end of the transaction. */
export async function lockRoom(tx: Tx, bounds: Bounds): Promise<Room> {
  await lockSetting(tx, keys.letters);
  return readRoom(tx.db, bounds);
}

/** Counts letters that are given to the mail server at `at`, or with a negative number gives back the room of letters that it has not taken. */
export async function countLetters(tx: Tx, count: number, at: number, triedAt?: number): Promise<void> {
  const letters = (JSON.parse(await lockSetting(tx, keys.letters)) as Letters | null) ?? noLetters;
  const hour = hourOf(at);
  const hours: Letters['hours'] = { ...letters.hours, [hour]: (letters.hours[hour] ?? 0) + count };
  const kept: Letters = {
    hours: Object.fromEntries(Object.entries(hours).filter(([key]) => isOfDay(Number(key), at))),
    triedAt: triedAt ?? letters.triedAt,
  };
  await putSetting(tx, keys.letters, JSON.stringify(kept));
}

type MailConfig = Pick<Config, 'smtpUrl' | 'lettersPerDay'>;

/** Whether codes have to wait although the mail server may work. */
export async function codesWait(
  { read }: Pick<Database, 'read'>,
  { smtpUrl, lettersPerDay }: MailConfig,
  now: number,
): Promise<boolean> {
  if (smtpUrl === undefined) return false;
  const { all, isHeld } = await readRoom(read, { lettersPerDay, now });
  return isHeld || all === 0;
}

/** The state of the wall's mail, for owners. */
export async function readMail(
  { read }: Pick<Database, 'read'>,
  { smtpUrl, lettersPerDay: limit }: MailConfig,
  now: number,
): Promise<WallAdmin['mail']> {
  const nothing = { at: null, reason: null, said: null, held_until: null, today: null };
  if (smtpUrl === undefined) return { state: 'none', ...nothing };
  const today =
    limit === undefined
      ? null
      : { letters: lettersOfDay(await storedLetters(read), now), limit, for_codes: reserveOf(limit) };
  const outcome = await storedOutcome(read);
  if (!outcome) return { ...nothing, state: 'untried', today };
  const { state, at } = outcome;
  if (state === 'left') return { ...nothing, state, at, today };
  // Another version of the program may have stored a reason that is not known here.
  const reason = reasons[outcome.reason] ?? reasons.other;
  return { state, at, reason, said: outcome.said, held_until: heldUntilOf(outcome, now) ?? null, today };
}
