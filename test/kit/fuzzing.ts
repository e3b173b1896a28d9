import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { apiPrefix } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import type { AppWithMail } from './sign-in.ts';
import { type HostileRequest, hostileRequests, type Target } from './hostile-requests.ts';
import { appoint } from './desk.ts';
import { type Member, register } from './member.ts';
import type { Wall } from './wall.ts';
import { normalizeEmail } from '#contract/email.ts';
import { normalizePostText } from '#contract/text.ts';
import { isUsername } from '#contract/username.ts';
import type { Database } from '../../server/db/database.ts';
import { normalizeTokenName } from '../../server/features/api-tokens/token-rules.ts';
import { isReason } from '../../server/features/reports/report-store.ts';

/** A wall whose app runs in this process or is called over HTTP. */
export type FuzzedWall = AppWithMail & Pick<Wall, 'db'>;

export interface Fuzzed {
  requests: number;
  /** The number of successful responses. */
  accepted: number;
  /** The violations in words; only the first ones if there are many. */
  faults: string[];
}

interface Received {
  status: number;
  body: string;
}

/** The number of concurrent requests: enough for writes to share a group commit, and not too many for the pages of visitors. */
const concurrency = 32;
const maxFaults = 10;

/** Sends `count` hostile requests to a call as a signed-in person, and checks every response and the stored data. */
export async function fuzz(wall: FuzzedWall, target: Target, count: number): Promise<Fuzzed> {
  const bystander = await register(wall);
  const sender = await register(wall);
  const isDesk = target.path.startsWith(`${apiPrefix}/moderation/`);
  if (isDesk) await appoint(wall, sender);
  const publish = async (by: Member, path: string): Promise<string> =>
    (await by.send('POST', path, { text: 'есть' })).json().id;
  const post = await publish(bystander, '/posts');
  const reply = await publish(sender, `/posts/${post}/replies`);
  const before = await snapshot(wall, bystander);

  let accepted = 0;
  const created = new Set<string>();
  const faults: string[] = [];
  const requests = fc.sample(hostileRequests(target, [post, reply, bystander.id, sender.id]), { numRuns: count });
  for (let i = 0; i < requests.length; i += concurrency) {
    const some = requests.slice(i, i + concurrency);
    const responses = await Promise.all(some.map((request) => send(wall, sender, request)));
    for (const [at, received] of responses.entries()) {
      const fault = faultOf(received, some[at]!);
      if (fault) faults.push(`${fault}: ${JSON.stringify(some[at])}`);
      if (received.status < 300) accepted += 1;
      if (received.status === 201) created.add((JSON.parse(received.body) as { id: string }).id);
    }
  }
  faults.push(...(await findStoredViolations(wall.db)));
  const expected = { ...before, posts: before.posts + addedPosts(target, created.size, accepted) };
  const after = await snapshot(wall, bystander);
  // Calls of the desk may change the data of other people.
  if (!isDesk && !isDeepStrictEqual(after, expected)) {
    faults.push(`unexpected change: ${JSON.stringify(expected)} is ${JSON.stringify(after)}`);
  }
  return { requests: count, accepted, faults: faults.slice(0, maxFaults) };
}

function addedPosts({ name }: Target, created: number, accepted: number): number {
  if (name === 'createPost' || name === 'createReply') return created;
  return name === 'deletePost' ? -accepted : 0;
}

async function send(
  wall: AppWithMail,
  { token }: Member,
  { method, url, headers, body }: HostileRequest,
): Promise<Received> {
  const { statusCode, body: text } = await wall.app.inject({
    method,
    url,
    headers: {
      'sec-fetch-site': 'same-origin',
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: body }),
  });
  return { status: statusCode, body: text };
}

/** The error of a response, if any. */
function faultOf({ status, body }: Received, { url }: Pick<HostileRequest, 'url'>): string | undefined {
  if (status >= 500) return `status ${status} ${body}`;
  if (status >= 400 && url.startsWith(apiPrefix) && !isError(body)) return `a malformed error: ${body}`;
  const listed = body.startsWith('{"posts":[') ? (JSON.parse(body) as { posts: unknown[] }).posts.length : 0;
  return listed > limits.pageSizeMax ? `listed ${listed} posts` : undefined;
}

function isError(body: string): boolean {
  try {
    const error = JSON.parse(body) as { code: string; message: string };
    return (
      Object.keys(error).join() === 'code,message' && /^[A-Z_]+$/.test(error.code) && /[а-яё]/i.test(error.message)
    );
  } catch {
    return false;
  }
}

/** The state that no request of another person may change, and the counts that grow only on request. */
async function snapshot({ db: { read } }: FuzzedWall, { id: userId }: Member) {
  const of = Number(userId);
  const count = async (table: 'posts' | 'users' | 'invites' | 'operator_log') => {
    const { n } = await read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  const removed = await read.selectFrom('removed_posts').select('id').execute();
  return {
    posts: await count('posts'),
    users: await count('users'),
    operatorRows: removed.length + (await count('invites')) + (await count('operator_log')),
    user: await read
      .selectFrom('users')
      .select(['username', 'email', 'deleted_at', 'blocked_at', 'follow_replied', 'digest'])
      .where('id', '=', of)
      .execute(),
    sessions: await read.selectFrom('sessions').selectAll().where('user_id', '=', of).orderBy('id').execute(),
    texts: await read
      .selectFrom('posts')
      .select(['id', 'text', 'modified_at'])
      .where('user_id', '=', of)
      .orderBy('id')
      .execute(),
    // The numbers of unread posts are left out, because they change with the replies of others.
    positions: await read
      .selectFrom('reading_positions')
      .select(['list', 'post_id', 'updated_at'])
      .where('user_id', '=', of)
      .execute(),
    follows: await read.selectFrom('follows').selectAll().where('user_id', '=', of).execute(),
    mutes: await read.selectFrom('mutes').selectAll().where('user_id', '=', of).execute(),
  };
}

/** Stored rows that violate the rules, in words. */
async function findStoredViolations({ read }: Pick<Database, 'read'>): Promise<string[]> {
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
