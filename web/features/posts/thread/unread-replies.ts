import { isNewReply, type Thread } from '../store/thread-tree.ts';

/** The loaded replies that came since the last visit and have not been read. Those that arrive now are counted apart. */
export function unreadReplies(thread: Thread, ownerOf: (id: string) => string | undefined): string[] {
  const { visit, arrived, nodes } = thread;
  if (!visit?.since) return [];
  return [...nodes.keys()].filter(
    (id) => !visit.seen.has(id) && !arrived.has(id) && !nodes.get(id)!.gone && isNewReply(thread, id, ownerOf(id)),
  );
}
