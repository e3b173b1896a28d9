import type { CallEndpoint } from '#contract/calls.ts';
import { limits } from '#contract/limits.ts';
import { call as callOverHttp } from '../../../lib/api.ts';
import { threadPage } from '../store/fetch-post-page.ts';
import type { ListPage } from '../store/post-list-state.ts';
import type { Branch, More, Thread } from '../store/thread-tree.ts';

export interface LoadedBranch {
  /** The post whose replies these are. */
  id: string;
  page: ListPage;
  branches: readonly Branch[];
  more: More | null;
}

/** Loads further replies to a post of a discussion; null if all of them are loaded. */
export async function loadBranch(
  thread: Thread,
  id: string,
  { signal, call = callOverHttp }: { signal: AbortSignal; call?: CallEndpoint },
): Promise<LoadedBranch | null> {
  const { postId, order, nodes } = thread;
  const node = nodes.get(id);
  if (!node?.more) return null;
  const query = { branch: node.more.cursor, limit: String(limits.pageSizeMax) };
  const response = await call('GET /posts/{id}/thread', { params: { id: postId }, query, signal });
  const page = threadPage(response, postId, order);
  const branches = page.thread?.replies ?? [];
  const known = new Set([...node.replies, ...branches.map((reply) => reply.id)]);
  const more =
    response.next === null ? null : { count: Math.max(1, response.total - known.size), cursor: response.next };
  return { id, page, branches, more };
}
