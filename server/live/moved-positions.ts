import { isReadingTag, type Tag } from '../db/database.ts';
import { parseId } from '../db/parse-id.ts';

/** Lists in which reading positions have moved, by the ids of their people. */
export type ListsByPerson = ReadonlyMap<number, ReadonlySet<number>>;

interface Reader {
  viewer: { userId: number } | undefined;
  watched: readonly string[];
}

/** The feed among the lists that positions are stored for. Discussions have the ids of their root posts. */
export const feedList = 0;

/** Collects the people whose reading positions have moved since the last time they were sent. */
export class MovedPositions {
  #lists = new Map<number, Set<number>>();

  note(tags: readonly Tag[]): void {
    for (const tag of tags) {
      if (!isReadingTag(tag)) continue;
      const [, userId, list] = tag.split(':').map(Number);
      this.#add(userId!, [list!]);
    }
  }

  /** After a gap in the reports of other processes, any position that the readers see may have moved. */
  noteAll(readers: Iterable<Reader>): void {
    for (const { viewer, watched } of readers) if (viewer) this.#add(viewer.userId, listsFor(watched));
  }

  take(): ListsByPerson {
    const taken = this.#lists;
    this.#lists = new Map();
    return taken;
  }

  /** After a failure: sends them with the next ones. */
  putBack(taken: ListsByPerson): void {
    for (const [userId, lists] of taken) this.#add(userId, lists);
  }

  #add(userId: number, lists: Iterable<number>): void {
    const known = this.#lists.get(userId) ?? new Set();
    for (const list of lists) known.add(list);
    this.#lists.set(userId, known);
  }
}

/** The lists that a subscriber shows: the feed, and discussions among the posts it watches. */
export const listsFor = (watched: readonly string[]): number[] => [
  feedList,
  ...watched.flatMap((id) => parseId(id) ?? []),
];
