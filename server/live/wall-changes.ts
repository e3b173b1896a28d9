import type { Kysely } from 'kysely';
import type { Changes } from '#contract/live.ts';
import { shownRules } from '#contract/reply-rules.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { type ChangeRow, changesAfter, findLifted, findStates, latestPosition, reachesBackTo } from './change-log.ts';

/** A subscriber that has missed more changes gets a reset and loads its page again, which is cheaper for both sides. */
const maxChanges = 300;
/** The size as JSON, mostly of edited texts. */
const maxBytes = 128 * 1024;
const maxShared = 100;

/** Reads the changes since a position, once for all subscribers that continue from the same position. */
export class MissedChanges {
  #db: Database;
  #shared = new Map<number, Promise<WallChanges>>();
  /** The position up to which the shared changes were read. */
  #upTo = 0;

  constructor(db: Database) {
    this.#db = db;
    // Every write clears the shared changes: the deletion of an account hides texts before the log contains a change.
    db.onChange(() => this.#shared.clear());
  }

  /** Without `after`, no changes and the current position. `onRead` gets the number of changes that had to be read. */
  async since(after: number | undefined, onRead: (changes: number) => void): Promise<WallChanges> {
    const latest = await latestPosition(this.#db.read);
    if (after === undefined || after === latest) return { ...noChanges, position: latest };
    if (after > latest) return resetAt(latest);
    if (latest !== this.#upTo || this.#shared.size >= maxShared || !this.#db.receivesForeignWrites) {
      this.#upTo = latest;
      this.#shared.clear();
    }
    let missed = this.#shared.get(after);
    if (!missed) {
      missed = this.#read(after, latest, onRead);
      this.#shared.set(after, missed);
      missed.catch(() => this.#shared.delete(after));
    }
    return missed;
  }

  async #read(after: number, latest: number, onRead: (changes: number) => void): Promise<WallChanges> {
    const { read } = this.#db;
    if (!(await reachesBackTo(read, after))) return resetAt(latest);
    const rows = await changesAfter(read, after, maxChanges);
    onRead(rows?.length ?? maxChanges);
    const changes = rows && (await wallChangesOf(read, rows));
    return changes && Buffer.byteLength(JSON.stringify(changes)) <= maxBytes ? changes : resetAt(latest);
  }
}

const resetAt = (position: number): WallChanges => ({ ...noChanges, position, reset: true });

/** The part of the changes that only one person gets. */
export type OwnPart = Pick<Changes, 'unread' | 'reading'>;

/** The changes that are the same for all subscribers, up to a position. `changesFor` filters replies for each subscriber. */
export type WallChanges = Omit<Changes, 'position' | keyof OwnPart> & { position: number };

/** Builds one event from these rows of the change log. All changes of a post become one. */
export async function wallChangesOf(db: Kysely<Schema>, rows: readonly ChangeRow[]): Promise<WallChanges> {
  const of = (kind: ChangeRow['kind']) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.post_id));
  const [withdrawn, restorations, changed] = [of('deleted'), of('restored'), of('changed')];
  const [ruled, pinned] = [of('ruled'), of('pinned')];
  const counted = new Set(rows.flatMap(countedBy));
  const replies = rows.filter(({ kind, replied_post_id: repliedTo }) => kind === 'new' && repliedTo !== null);
  const lifted = await findLifted(
    db,
    replies.map(({ post_id: id }) => id),
  );
  const states = await findStates(db, [...changed.union(counted).union(withdrawn).union(ruled)]);
  const visible = new Set(states.map(({ id }) => id));
  // A withdrawn post may have been restored since, and a restored one withdrawn again.
  const deleted = withdrawn.difference(visible);
  const restored = restorations.intersection(visible);
  const born = rows.filter(({ kind, post_id }) => kind === 'new' && !deleted.has(post_id));
  return {
    position: rows.at(-1)!.position,
    reset: false,
    posts: born.filter((row) => row.replied_post_id === null).map(authored),
    replies: born
      .filter((row) => row.replied_post_id !== null)
      .map((row) => ({
        ...authored(row),
        replied_post_id: String(row.replied_post_id),
        parent_post_id: String(row.root_post_id),
      })),
    changed: states
      .filter(({ id }) => changed.has(id))
      .map(({ id, text, modified_at: at }) => ({
        id: String(id),
        text,
        is_modified: at !== null,
        ...(at !== null && { modified_at: at }),
      })),
    deleted: [...deleted].map(String),
    ...(lifted.length > 0 && { lifted: lifted.map(String) }),
    ...(restored.size > 0 && { restored: [...restored].map(String) }),
    ...(ruled.size > 0 && {
      rules: states.filter(({ id }) => ruled.has(id)).map((state) => ({ id: String(state.id), ...shownRules(state) })),
    }),
    ...(pinned.size > 0 && { pinned: true as const }),
    counts: states
      .filter(({ id }) => counted.has(id))
      .map(({ id, likes_count, replies_count, thread_count, replied_post_id: repliedTo }) => ({
        id: String(id),
        likes_count,
        replies_count,
        thread_count: repliedTo === null ? thread_count : null,
      })),
  };
}

/** The event of one subscriber. */
export function changesFor(watched: readonly string[], changes: WallChanges, own?: OwnPart): Changes {
  return { ...changes, replies: repliesFor(watched, changes), position: String(changes.position), ...own };
}

export const repliesFor = (watched: readonly string[], { replies }: WallChanges): Changes['replies'] =>
  replies.filter(
    ({ replied_post_id: repliedTo, parent_post_id: rootId }) => watched.includes(repliedTo) || watched.includes(rootId),
  );

/** Whether there is nothing to send to subscribers without a personal part. */
export const isEmpty = ({ reset, pinned, restored = [], rules = [], ...changes }: WallChanges): boolean => {
  const { posts, replies, changed, deleted, counts } = changes;
  return (
    !reset && !pinned && [posts, replies, changed, deleted, restored, rules, counts].every(({ length }) => length === 0)
  );
};

export const noChanges = {
  reset: false,
  posts: [],
  replies: [],
  changed: [],
  deleted: [],
  counts: [],
} satisfies Partial<WallChanges>;

const authored = ({ post_id, owner_id }: ChangeRow) => ({ id: String(post_id), owner_id: String(owner_id) });

/** Ids of the posts whose counts the change affects. */
function countedBy({ kind, post_id, replied_post_id, root_post_id }: ChangeRow): number[] {
  if (kind === 'counted') return [post_id];
  if (kind === 'changed' || kind === 'ruled' || kind === 'pinned') return [];
  const above = [replied_post_id, root_post_id].filter((id) => id !== null);
  return kind === 'restored' ? [post_id, ...above] : above;
}
