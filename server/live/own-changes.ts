import { isPersonalTag, type Tag } from '../db/database.ts';
import { parseId } from '../db/ids.ts';

export interface OwnChange {
  /** The number of unread notifications may have changed. */
  unread: boolean;
  /** Lists in which the reading position has moved. */
  lists: ReadonlySet<number>;
}

export type ChangesByPerson = ReadonlyMap<number, OwnChange>;

interface Reader {
  viewer: { userId: number } | undefined;
  watched: readonly string[];
}

/** The number of the feed in `OwnChange.lists`. The number of a discussion is the id of its root post. */
export const feedList = 0;

/** Collects the changes for single people since `take` was called last. */
export class OwnChanges {
  #changes = new Map<number, OwnChange>();

  note(tags: readonly Tag[]): void {
    for (const tag of tags) {
      if (!isPersonalTag(tag)) continue;
      const [kind, userId, list] = tag.split(':');
      if (kind === 'unread') this.#add(Number(userId), { unread: true, lists: new Set() });
      else this.#add(Number(userId), { unread: false, lists: new Set([Number(list)]) });
    }
  }

  /** Called when reports of other processes may have been missed: everything that the readers see may have changed. */
  noteAll(readers: Iterable<Reader>): void {
    for (const { viewer, watched } of readers) {
      if (viewer) this.#add(viewer.userId, { unread: true, lists: new Set(listsFor(watched)) });
    }
  }

  take(): ChangesByPerson {
    const taken = this.#changes;
    this.#changes = new Map();
    return taken;
  }

  /** Called after a failure, so that the changes are sent with the next ones. */
  putBack(taken: ChangesByPerson): void {
    for (const [userId, change] of taken) this.#add(userId, change);
  }

  #add(userId: number, { unread, lists }: OwnChange): void {
    const known = this.#changes.get(userId);
    this.#changes.set(userId, {
      unread: unread || known?.unread === true,
      lists: known ? known.lists.union(lists) : lists,
    });
  }
}

/** The lists that a subscriber shows: the feed, and discussions among the posts it watches. */
export const listsFor = (watched: readonly string[]): number[] => [
  feedList,
  ...watched.flatMap((id) => parseId(id) ?? []),
];
