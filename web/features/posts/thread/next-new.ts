import type { Thread } from '../store/thread-tree.ts';

/** The next new reply, or what has to be loaded first because the reply may be there. */
type NextNew = { is: 'reply'; id: string } | { is: 'branch'; id: string } | { is: 'page' };

interface NextNewOptions {
  /** The post with the focus, if any. */
  after: string | undefined;
  wanted: ReadonlySet<string>;
  /** Whether there are further direct replies. */
  hasPages: boolean;
  /** Whether nothing more may be loaded. */
  isEnough: boolean;
}

/** Finds the next of the wanted replies in the order of the tree, also folded ones. After the last one comes the first. */
export function nextNew(thread: Thread, { after, wanted, hasPages, isEnough }: NextNewOptions): NextNew | null {
  const inOrder: NextNew[] = [];
  const walk = (id: string): void => {
    const { replies, more } = thread.nodes.get(id)!;
    for (const reply of replies) {
      inOrder.push({ is: 'reply', id: reply });
      walk(reply);
    }
    if (more) inOrder.push({ is: 'branch', id });
  };
  walk(thread.postId);
  if (hasPages) inOrder.push({ is: 'page' });

  const isWanted = (next: NextNew) => (next.is === 'reply' ? wanted.has(next.id) : !isEnough);
  const from = inOrder.findIndex((next) => next.is === 'reply' && next.id === after) + 1;
  return inOrder.slice(from).find(isWanted) ?? inOrder.find((next) => next.is === 'reply' && isWanted(next)) ?? null;
}
