import type { Thread } from '../store/thread-tree.ts';

/** Where the next new reply is, or what has to be loaded first because it may be there. */
export type NextNew = { is: 'reply'; id: string } | { is: 'branch'; id: string } | { is: 'page' } | null;

interface NextNewOptions {
  /** The post with the focus, if any. */
  after: string | undefined;
  wanted: ReadonlySet<string>;
  /** Whether there are further direct replies. */
  hasPages: boolean;
  /** Whether nothing more may be loaded. */
  isEnough: boolean;
}

/** The next of the wanted replies in the order of the tree, folded ones included; after the last one the first. */
export function nextNew(thread: Thread, { after, wanted, hasPages, isEnough }: NextNewOptions): NextNew {
  const places: NonNullable<NextNew>[] = [];
  const walk = (id: string): void => {
    const { replies, more } = thread.nodes.get(id)!;
    for (const reply of replies) {
      places.push({ is: 'reply', id: reply });
      walk(reply);
    }
    if (more) places.push({ is: 'branch', id });
  };
  walk(thread.postId);
  if (hasPages) places.push({ is: 'page' });

  const isWanted = (place: NonNullable<NextNew>) => (place.is === 'reply' ? wanted.has(place.id) : !isEnough);
  const from = places.findIndex((place) => place.is === 'reply' && place.id === after) + 1;
  return places.slice(from).find(isWanted) ?? places.find((place) => place.is === 'reply' && isWanted(place)) ?? null;
}
