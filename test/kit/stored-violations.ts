import { limits } from '#contract/limits.ts';
import { normalizeEmail } from '#contract/email.ts';
import { normalizePostText } from '#contract/text.ts';
import { isUsername } from '#contract/username.ts';
import type { Database } from '../../server/db/database.ts';
import { normalizeTokenName } from '../../server/features/api-tokens/rules.ts';
import { isReason } from '../../server/features/reports/rules.ts';

/** Stored rows that violate the rules, in words. */
export async function findStoredViolations({ read }: Pick<Database, 'read'>): Promise<string[]> {
  const posts = await read.selectFrom('posts').select(['id', 'text', 'user_id']).execute();
  const users = await read.selectFrom('users').select(['id', 'username', 'username_key', 'email']).execute();
  const sessions = await read.selectFrom('sessions').select(['id', 'client_token', 'device']).execute();
  const operations = await read.selectFrom('operations').select(['id', 'email', 'client_token', 'device']).execute();
  const outbox = await read.selectFrom('outbox').select(['id', 'recipient']).execute();
  const reports = await read.selectFrom('reports').select(['id', 'reason_id', 'text']).execute();
  const tokens = await read.selectFrom('program_tokens').select(['id', 'name']).execute();
  const keys = await read.selectFrom('idempotency_keys').select('key').execute();
  return [
    ...violations('post', posts, ({ text }) => isNormalized(text)),
    ...violations('user', users, ({ username, username_key: key, email }) => {
      return isUsername(username) && key === username.toLowerCase() && isAddress(email);
    }),
    ...violations('session', sessions, (row) => isClient(row.client_token) && isDevice(row.device)),
    ...violations(
      'operation',
      operations,
      (row) => isClient(row.client_token) && isDevice(row.device) && isAddress(row.email),
    ),
    ...violations('mail', outbox, ({ recipient }) => isAddress(recipient)),
    ...violations('report', reports, ({ reason_id: reason, text }) => isReason(reason) && isNormalized(text)),
    ...violations('token', tokens, ({ name }) => normalizeTokenName(name) === name),
    ...violations('idempotency key', keys, ({ key }) => /^\d+ [\x21-\x7e]{1,128}$/.test(key)),
  ];
}

const violations = <Row>(what: string, rows: readonly Row[], isValid: (row: Row) => boolean): string[] =>
  rows.filter((row) => !isValid(row)).map((row) => `${what}: ${JSON.stringify(row)}`);

function isNormalized(text: string): boolean {
  const normalized = normalizePostText(text);
  return normalized.ok && normalized.text === text;
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
