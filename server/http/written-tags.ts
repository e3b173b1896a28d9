import { type Changed, isPersonalTag, subjectOf, type Tag } from '../db/database.ts';

/** The age of the content of a response. */
export interface Age {
  /** Number of the last write up to which it is known to be valid. */
  validAt: number;
  /** When it was read at the earliest, ms. */
  readAt: number;
}

/** The tags a response depends on, and the write up to which it is known to be valid. */
export interface Dated extends Pick<Age, 'validAt'> {
  tags: readonly Tag[];
}

/** The numbers of the last writes that touched a tag: any, and one that did more than add. */
interface LastWrites {
  at: number;
  replacedAt: number;
}

/** Maximum number of tags that are tracked. */
const maxTracked = 5_000;

/** Remembers which write touched which tag last, to determine what a response lacks. */
export class WrittenTags {
  /** The number of the last write: data read between two writes stays valid until the next write that touches it. */
  last = 0;
  /** The number of the last write that did more than add. */
  replacedAt = 0;
  /** In the order of `at`. */
  #writtenTo = new Map<Tag, LastWrites>();
  #everythingWrittenAt = 0;

  add(changed: Changed, number: number): void {
    const written = changed === 'everything' ? changed : changed.filter((tag) => !isPersonalTag(tag));
    if (written.length === 0) return;
    this.last = number;
    if (written === 'everything') {
      this.#everythingWrittenAt = this.replacedAt = number;
      this.#writtenTo.clear();
      return;
    }
    for (const tag of written) this.#note(subjectOf(tag), tag.startsWith('+'));
  }

  /** Whether the response lacks no write. It is then known to be valid up to the last one. */
  isCurrent(content: Dated): boolean {
    if (content.validAt < this.#everythingWrittenAt) return false;
    if (content.validAt >= this.last) return true;
    for (const tag of content.tags) if ((this.#writtenTo.get(tag)?.at ?? 0) > content.validAt) return false;
    content.validAt = this.last;
    return true;
  }

  /** Whether the response lacks only what was added. */
  onlyAddedTo({ validAt, tags }: Dated): boolean {
    if (validAt < this.#everythingWrittenAt) return false;
    return validAt >= this.replacedAt || !tags.some((tag) => (this.#writtenTo.get(tag)?.replacedAt ?? 0) > validAt);
  }

  #note(tag: Tag, isAdding: boolean): void {
    const at = this.last;
    if (!isAdding) this.replacedAt = at;
    const replacedAt = isAdding ? (this.#writtenTo.get(tag)?.replacedAt ?? 0) : at;
    this.#writtenTo.delete(tag);
    this.#writtenTo.set(tag, { at, replacedAt });
    if (this.#writtenTo.size <= maxTracked) return;
    // A response that was last checked before this write is no longer known to be valid.
    for (const [oldest, forgotten] of this.#writtenTo) {
      this.#writtenTo.delete(oldest);
      this.#everythingWrittenAt = forgotten.at;
      break;
    }
  }
}
