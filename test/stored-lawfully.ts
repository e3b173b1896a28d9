import { limits } from '#contract/limits.ts';
import { normalizeEmail } from '#contract/email.ts';
import { normalizePostText } from '#contract/text.ts';
import { isUsername } from '#contract/username.ts';
import type { Database } from '../server/db/database.ts';
import { isReason } from '../server/reports/rules.ts';

/** What stands in the database and should not have got in, in words. */
export async function storedUnlawfully({ read }: Pick<Database, 'read'>): Promise<string[]> {
  const posts = await read.selectFrom('posts').select(['id', 'text', 'user_id']).execute();
  const users = await read.selectFrom('users').select(['id', 'username', 'username_key', 'email']).execute();
  const sessions = await read.selectFrom('sessions').select(['id', 'client_token', 'device']).execute();
  const operations = await read.selectFrom('operations').select(['id', 'email', 'client_token', 'device']).execute();
  const outbox = await read.selectFrom('outbox').select(['id', 'recipient']).execute();
  const reports = await read.selectFrom('reports').select(['id', 'reason_id', 'text']).execute();
  const keys = await read.selectFrom('idempotency_keys').select('key').execute();
  return [
    ...wrong('post', posts, ({ text }) => isKept(text)),
    ...wrong('user', users, ({ username, username_key: key, email }) => {
      return isUsername(username) && key === username.toLowerCase() && isAddress(email);
    }),
    ...wrong('session', sessions, (row) => isClient(row.client_token) && isDevice(row.device)),
    ...wrong(
      'operation',
      operations,
      (row) => isClient(row.client_token) && isDevice(row.device) && isAddress(row.email),
    ),
    ...wrong('mail', outbox, ({ recipient }) => isAddress(recipient)),
    ...wrong('report', reports, ({ reason_id: reason, text }) => isReason(reason) && isKept(text)),
    ...wrong('idempotency key', keys, ({ key }) => /^\d+ [\x21-\x7e]{1,128}$/.test(key)),
  ];
}

const wrong = <Row>(what: string, rows: readonly Row[], isRight: (row: Row) => boolean): string[] =>
  rows.filter((row) => !isRight(row)).map((row) => `${what}: ${JSON.stringify(row)}`);

function isKept(text: string): boolean {
  const kept = normalizePostText(text);
  return kept.ok && kept.text === text;
}

const isAddress = (email: string): boolean => normalizeEmail(email) === email;

const isClient = (token: string): boolean => token.length <= limits.clientTokenLength && !token.includes('\0');

function isDevice(json: string): boolean {
  const device = JSON.parse(json) as Record<string, unknown>;
  const values = Object.values(device);
  return (
    Object.keys(device).toSorted().join() === 'os,userAgent,userAgentVersion' &&
    values.every((value) => typeof value === 'string' && value.length <= limits.deviceFieldLength)
  );
}
