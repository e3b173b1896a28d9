import { register, type Member } from './member.ts';
import { removePost, restore } from './moderation.ts';
import { runJobs } from './run-jobs.ts';
import { openWall, type Wall } from './wall.ts';
import type { Engine } from './engines.ts';
import type { Random } from '../../demo/random.ts';
import { limits } from '#contract/limits.ts';
import { recount } from '../../server/commands/verify-data/recount.ts';

/** The state of a post according to the responses. */
interface Known {
  id: string;
  author: Member;
  text: string;
  state: 'shown' | 'deleted' | 'removed' | 'gone';
  deletedAt: number;
  likedBy: Set<Member>;
}

export interface Interleaved {
  steps: number;
  restored: number;
  purged: number;
  /** The differences between the stored data and the responses, in words. */
  faults: string[];
}

const people = 6;
/** The number of concurrent steps, each by another person. */
const atOnce = 4;

/** Writes, likes, reports, deletes and restores posts in random order, several at a time, some of them on one post. */
export async function interleave(engine: Engine, steps: number, random: Random): Promise<Interleaved> {
  await using wall = await openWall(engine, { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: '100000000' });
  const members: Member[] = [];
  for (let i = 0; i < people; i += 1) members.push(await register(wall));
  const posts: Known[] = [];
  const done: Interleaved = { steps: 0, restored: 0, purged: 0, faults: [] };

  async function write(author: Member, path: string): Promise<boolean> {
    const text = `текст №${random.below(1e12)}.`;
    const response = await author.send('POST', path, { text });
    if (response.statusCode !== 201) return false;
    posts.push({ id: response.json().id, author, text, state: 'shown', deletedAt: 0, likedBy: new Set() });
    return true;
  }

  async function succeeds(who: Member, method: 'POST' | 'DELETE', path: string): Promise<boolean> {
    const { statusCode } = await who.send(method, path);
    if (statusCode >= 500) done.faults.push(`${method} ${path}: ${statusCode}`);
    return statusCode < 400;
  }

  /** The author deletes the post or takes the deletion back. */
  async function deleteOrRestore(post: Known): Promise<boolean> {
    const on = `/posts/${post.id}`;
    if (post.state !== 'deleted') return (await succeeds(post.author, 'DELETE', on)) && took(post, 'deleted');
    return (await succeeds(post.author, 'POST', `${on}/restoration`)) && took(post, 'shown');
  }

  /** One step of one person on a post; resolves to whether it happened. */
  async function act(who: Member, post: Known): Promise<boolean> {
    const on = `/posts/${post.id}`;
    if (who === post.author && random.chance(2 / 3)) return deleteOrRestore(post);
    switch (random.below(5)) {
      case 0:
        return write(who, `${on}/replies`);
      case 1:
        return succeeds(who, 'POST', `${on}/reports?reason_id=spam`);
      case 2:
        return (await succeeds(who, 'DELETE', `${on}/likes`)) && post.likedBy.delete(who);
      default:
        return (await succeeds(who, 'POST', `${on}/likes`)) && post.likedBy.add(who).has(who);
    }
  }

  function took(post: Known, state: 'deleted' | 'shown'): boolean {
    if (state === 'shown') done.restored += 1;
    // The author of a removed post deletes it for good.
    post.state = state === 'deleted' && post.state === 'removed' ? 'gone' : state;
    post.deletedAt = wall.clock.now;
    return true;
  }

  async function moderate(post: Known): Promise<void> {
    if (post.state === 'removed') {
      await restore(wall, post.id);
      post.state = 'shown';
    } else if (await removePost(wall, post.id)) post.state = 'removed';
  }

  async function pass(): Promise<void> {
    wall.clock.now += limits.undoDeletionSeconds / 2 + 16;
    await runJobs(wall.db, wall.clock.now);
    for (const post of posts) {
      if (post.state !== 'deleted' || wall.clock.now - post.deletedAt <= limits.undoDeletionSeconds) continue;
      post.state = 'gone';
      done.purged += 1;
    }
    done.faults.push(...(await differences(wall)));
  }

  await write(members[0]!, '/posts');
  // These steps make sure that something is restored and purged, which chance alone may not do.
  for (let i = 0; i < 3; i += 1) await deleteOrRestore(posts[0]!);
  for (let i = 0; i < 2; i += 1) await pass();
  await write(members[0]!, '/posts');
  while (done.steps < steps) {
    const recent = posts.slice(-12);
    const one = random.pick(recent);
    const isOne = random.chance(1 / 2);
    if (random.chance(1 / 40)) await pass();
    else if (random.chance(1 / 20)) await moderate(one);
    else if (random.chance(1 / 6)) await write(random.pick(members), '/posts');
    else {
      const actors = random.shuffled(members).slice(0, atOnce);
      await Promise.all(actors.map((who) => act(who, isOne ? one : random.pick(recent))));
      done.steps += atOnce - 1;
    }
    done.steps += 1;
  }

  for (const post of posts) done.faults.push(...(await faultsOf(wall, post)));
  wall.clock.now += 2 * limits.undoDeletionSeconds;
  await runJobs(wall.db, wall.clock.now);
  const gone = posts.filter(({ state }) => state === 'gone' || state === 'deleted').map(({ text }) => text);
  done.faults.push(...(await differences(wall)), ...(await leftOf(wall, gone)));
  return done;
}

async function faultsOf(wall: Wall, { id, state, likedBy, text }: Known): Promise<string[]> {
  const { status, json } = await wall.get(`/api/v1/posts/${id}`);
  if (state !== 'shown') return status === 404 ? [] : [`${id} is ${state}, and answers ${status}`];
  if (status !== 200 || json.text !== text) return [`${id} is shown, and answers ${status}`];
  const likes = json.actions.likes_count;
  return likes === likedBy.size ? [] : [`${id} has ${likes} likes instead of ${likedBy.size}`];
}

const differences = async (wall: Wall): Promise<string[]> => [
  ...(await Array.fromAsync(recount(wall.db.read))).map((difference) => JSON.stringify(difference)),
  ...(await liftedTwice(wall)),
];

/** Violations of the rule that the replies of one person move a discussion up at most once an hour. Each such move is a row of `lifts`. */
async function liftedTwice(wall: Wall): Promise<string[]> {
  const rows = await wall.db.read
    .selectFrom('lifts as one')
    .innerJoin('lifts as other', (join) =>
      join
        .onRef('other.root_post_id', '=', 'one.root_post_id')
        .onRef('other.user_id', '=', 'one.user_id')
        .onRef('other.reply_id', '>', 'one.reply_id'),
    )
    .whereRef('other.created_at', '<', ({ eb }) => eb('one.created_at', '+', 3_600))
    .select('other.reply_id')
    .execute();
  return rows.map(({ reply_id: id }) => `lifted twice by ${id}`);
}

/** The texts that are still stored. Reports are not searched, because a reported text stays with its report. */
async function leftOf(wall: Wall, texts: readonly string[]): Promise<string[]> {
  const rows = await wall.db.read.selectFrom('all_posts').select('text').execute();
  const left = new Set(rows.map(({ text }) => text));
  return texts.filter((text) => left.has(text)).map((text) => `still stored: ${text}`);
}
