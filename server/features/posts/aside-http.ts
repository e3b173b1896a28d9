import type { Kysely } from 'kysely';
import type { Aside, Post } from '#contract/posts.ts';
import type { Schema } from '../../db/schema.ts';
import type { TaggedReply } from '../../http/readable.ts';
import { listDiscussed } from './discussed.ts';
import { top } from './list-pages.ts';
import { findPinned } from './pinned.ts';
import { tagsOf } from './rows.ts';
import { asideLines, toLine } from './rules.ts';

/** A public reply: its key in the cache, and how to read it from the primary or a replica. */
export interface Source<Reply> {
  readonly key: string;
  read(from: Kysely<Schema>): Promise<TaggedReply<Reply>>;
}

/** The parts beside the feed, as visitors get them. */
interface Beside {
  pinned: Post | null;
  /** Last in a response: there a reader's own discussions are written into its bytes. */
  aside: Aside;
}

export interface AsideOptions {
  wallTexts: { about(): string | null; version(): number };
  /** Unix seconds. */
  now: () => number;
}

/** The pinned post belongs to the tag `feed`. */
export function withPinned<Reply>(
  { key, read }: Source<Reply>,
  now: () => number,
): Source<Reply & { pinned: Post | null }> {
  const readBoth = async (from: Kysely<Schema>) => {
    const [{ reply, tags }, found] = await Promise.all([read(from), findPinned(from, now())]);
    const pinned = found?.post ?? null;
    return { reply: { ...reply, pinned }, tags: pinned ? [...tags, ...tagsOf([pinned])] : tags };
  };
  return { key, read: readBoth };
}

/** The beginning of a list of the feed with the right column. No tag names the operator's text, so its version is in the key. */
export function withAside<Reply>({ key, read }: Source<Reply>, options: AsideOptions): Source<Reply & Beside> {
  return {
    get key() {
      return `aside ${options.wallTexts.version()} ${key}`;
    },
    async read(from) {
      const [list, beside] = await Promise.all([read(from), readBeside(from, options)]);
      return { reply: { ...list.reply, ...beside.reply }, tags: [...list.tags, ...beside.tags] };
    },
  };
}

export async function readBeside(from: Kysely<Schema>, { wallTexts, now }: AsideOptions): Promise<TaggedReply<Beside>> {
  const [found, { posts, liftedBy }] = await Promise.all([
    findPinned(from, now()),
    listDiscussed(from, { below: top, limit: asideLines }),
  ]);
  const pinned = found?.post ?? null;
  const discussed = posts.map(({ id, owner, text, actions }, i) => ({
    ...toLine({ id: Number(id), user_id: Number(owner.id), text }),
    lifted_by: liftedBy[i]!,
    thread_count: actions.thread_count ?? 0,
  }));
  return {
    reply: { pinned, aside: { discussed, about: wallTexts.about(), following: [] } },
    tags: ['feed', 'discussed', ...tagsOf(pinned ? [...posts, pinned] : posts)],
  };
}
