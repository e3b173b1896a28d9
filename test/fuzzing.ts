import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { apiPrefix } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import type { FrontDoor } from './door.ts';
import { type HostileRequest, hostileRequests, type Target } from './hostile-requests.ts';
import { type Member, register } from './member.ts';
import { storedUnlawfully } from './stored-lawfully.ts';
import type { Wall } from './wall.ts';

/** The app itself or one that is asked over HTTP. */
export type FuzzedWall = FrontDoor & Pick<Wall, 'db'>;

export interface Fuzzed {
  requests: number;
  /** Answered with success. */
  accepted: number;
  /** What must not have happened, in words; the first of many. */
  faults: string[];
}

interface Told {
  status: number;
  body: string;
}

/** So many at once: writes that are accepted share their way to the disk. */
const together = 64;
const faultsTold = 10;

/** Sends a call so many requests of all kinds as a signed-in person, and looks at every answer and at what is stored. */
export async function fuzz(wall: FuzzedWall, target: Target, count: number): Promise<Fuzzed> {
  const bystander = await register(wall);
  const sender = await register(wall);
  const publish = async (by: Member, path: string): Promise<string> =>
    (await by.send('POST', path, { text: 'есть' })).json().id;
  const post = await publish(bystander, '/posts');
  const reply = await publish(sender, `/posts/${post}/replies`);
  const before = await lookAt(wall, bystander);

  let accepted = 0;
  const created = new Set<string>();
  const faults: string[] = [];
  const requests = fc.sample(hostileRequests(target, [post, reply, bystander.id, sender.id]), { numRuns: count });
  for (let i = 0; i < requests.length; i += together) {
    const some = requests.slice(i, i + together);
    const answers = await Promise.all(some.map((request) => send(wall, sender, request)));
    for (const [at, told] of answers.entries()) {
      const fault = faultOf(told, some[at]!);
      if (fault) faults.push(`${fault}: ${JSON.stringify(some[at])}`);
      if (told.status < 300) accepted += 1;
      if (told.status === 201) created.add((JSON.parse(told.body) as { id: string }).id);
    }
  }
  faults.push(...(await storedUnlawfully(wall.db)));
  const expected = { ...before, posts: before.posts + postsMore(target, created.size, accepted) };
  const after = await lookAt(wall, bystander);
  if (!isDeepStrictEqual(after, expected)) {
    faults.push(`changed what it should not: ${JSON.stringify(expected)} is ${JSON.stringify(after)}`);
  }
  return { requests: count, accepted, faults: faults.slice(0, faultsTold) };
}

function postsMore({ name }: Target, created: number, accepted: number): number {
  if (name === 'createPost' || name === 'createReply') return created;
  return name === 'deletePost' ? -accepted : 0;
}

async function send(wall: FrontDoor, { token }: Member, { method, url, headers, body }: HostileRequest): Promise<Told> {
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

/** What is wrong with an answer. */
function faultOf({ status, body }: Told, { url }: Pick<HostileRequest, 'url'>): string | undefined {
  if (status >= 500) return `answered ${status} ${body}`;
  if (status >= 400 && url.startsWith(apiPrefix) && !isError(body)) return `an error of another form: ${body}`;
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

/** What no stranger's request may change, and how much there is of what grows by being asked to only. */
async function lookAt({ db: { read } }: FuzzedWall, { id: userId }: Member) {
  const of = Number(userId);
  const count = async (table: 'posts' | 'users' | 'hidden_posts' | 'invites' | 'operator_log') => {
    const { n } = await read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  return {
    posts: await count('posts'),
    users: await count('users'),
    ofOperators: (await count('hidden_posts')) + (await count('invites')) + (await count('operator_log')),
    user: await read
      .selectFrom('users')
      .select(['username', 'email', 'deleted_at', 'blocked_at', 'answers_read'])
      .where('id', '=', of)
      .execute(),
    sessions: await read.selectFrom('sessions').selectAll().where('user_id', '=', of).orderBy('id').execute(),
    texts: await read
      .selectFrom('posts')
      .select(['id', 'text', 'is_modified'])
      .where('user_id', '=', of)
      .orderBy('id')
      .execute(),
    mutes: await read.selectFrom('mutes').selectAll().where('user_id', '=', of).execute(),
  };
}
