import type { Post } from '#contract/posts.ts';

/** The id of the first post of its discussion. */
export const rootIdOf = ({ id, actions }: Post): string => actions.parent_post_id ?? id;

/** Part of a discussion as the server sends it, without the posts. */
export interface Branch {
  id: string;
  /** The post is deleted and has replies. */
  gone: boolean;
  replies: readonly Branch[];
  more: More | null;
}

/** The replies of a branch that are not loaded. */
export interface More {
  count: number;
  cursor: string;
}

export interface NewReply {
  id: string;
  ownerId: string;
  /** The post it replies to. */
  parent: string;
}

export type ThreadOrder = 'newest' | 'oldest';

interface Node {
  parent: string;
  gone: boolean;
  /** The ids in the order of time; those of direct replies are in the thread's order. */
  replies: readonly string[];
  more: More | null;
}

/** A post that is shown below the page's post. */
export interface Row {
  id: string;
  /** The post it replies to. */
  parent: string;
  /** 1 for direct replies. */
  level: number;
  gone: boolean;
  /** The number of posts below it, loaded or not. */
  size: number;
  /** The number of direct replies to it, loaded or not. */
  direct: number;
  folded: boolean;
  /** The nearest post above it whose branch folds. */
  head: string | null;
  /** The number of posts between the row and the page's post that have several direct replies. */
  splits: number;
  /** The posts whose branches end here with replies that are not loaded, the deepest first. */
  ends: readonly string[];
}

/** The reading position of a reader when they opened a discussion. */
export interface ThreadVisit {
  /** The newest post read before, null on the first visit. */
  since: string | null;
  /** The id of the reader, whose own replies are never new; empty for visitors. */
  reader: string;
  /** New replies that have been read meanwhile. */
  seen: ReadonlySet<string>;
}

/** The discussion below a post. */
export interface Thread {
  readonly postId: string;
  readonly order: ThreadOrder;
  /** The posts from the root of the discussion to the one that the post replies to, without `skipped` posts after the root. */
  readonly ancestors: readonly string[];
  readonly skipped: number;
  /** The loaded posts by id, including the page's post. */
  readonly nodes: ReadonlyMap<string, Node>;
  readonly folded: ReadonlySet<string>;
  /** Replies that arrived while the page was open. */
  readonly arrived: ReadonlySet<string>;
  /** Replies that events have reported and that are not loaded. */
  readonly unloaded: readonly NewReply[];
  /** Loaded replies whose place is on the screen. They wait, so that nothing moves while the person reads. */
  readonly waiting: readonly NewReply[];
  /** The last reply that the person has written here. */
  readonly own: string | null;
  /** The reader's last visit, null until it is known. */
  readonly visit: ThreadVisit | null;
  /** Derived from the other fields. */
  readonly rows: readonly Row[];
}

export interface OpenedThread extends Pick<Thread, 'postId' | 'order' | 'ancestors' | 'skipped'> {
  replies: readonly Branch[];
}

export function openedThread({ replies, ...rest }: OpenedThread): Thread {
  const nodes = new Map([[rest.postId, { parent: '', gone: false, replies: [], more: null }]]);
  const empty: Thread = {
    ...rest,
    nodes,
    folded: new Set(),
    arrived: new Set(),
    unloaded: [],
    waiting: [],
    own: null,
    visit: null,
    rows: [],
  };
  return withBranches(empty, rest.postId, replies);
}

/** Adds the branches below a post. Known posts stay, with all that is loaded below them. */
export function withBranches(thread: Thread, parent: string, branches: readonly Branch[]): Thread {
  const nodes = new Map(thread.nodes);
  const add = (above: string, below: readonly Branch[]): void => {
    const node = nodes.get(above);
    if (!node) return;
    const ids = new Set([...node.replies, ...below.map(({ id }) => id)]);
    const sign = above === thread.postId && thread.order === 'newest' ? -1 : 1;
    nodes.set(above, { ...node, replies: [...ids].toSorted((a, b) => sign * (Number(a) - Number(b))) });
    for (const { id, gone, replies, more } of below) {
      const known = nodes.get(id);
      nodes.set(id, known ? { ...known, gone } : { parent: above, gone, replies: [], more });
      add(id, replies);
    }
  };
  add(parent, branches);
  return withRows({ ...thread, nodes });
}

/** Replaces what is known about the unloaded replies of a post. */
export function withMore(thread: Thread, id: string, more: More | null): Thread {
  const node = thread.nodes.get(id);
  return node ? withRows({ ...thread, nodes: new Map(thread.nodes).set(id, { ...node, more }) }) : thread;
}

/** Adds a reply at its place. */
export function withReply(thread: Thread, id: string, parent: string): Thread {
  return withBranches(thread, parent, [{ id, gone: false, replies: [], more: null }]);
}

/** Adds the person's own reply at its place and unfolds the branches around it. */
export function withOwnReply(thread: Thread, id: string, parent: string): Thread {
  if (!thread.nodes.has(parent)) return thread;
  const added = withReply({ ...thread, own: id }, id, parent);
  const path = pathOf(added, id);
  return path.reduce((open, above) => withFold(open, above, false), added);
}

/** A deleted post stays as an empty place while there are replies to it. */
export function withoutReply(thread: Thread, id: string): Thread {
  const nodes = new Map(thread.nodes);
  const isOther = (reply: NewReply) => reply.id !== id;
  const [unloaded, waiting] = [thread.unloaded.filter(isOther), thread.waiting.filter(isOther)];
  for (
    let [at, node] = [id, nodes.get(id)];
    node && at !== thread.postId;
    [at, node] = [node.parent, nodes.get(node.parent)]
  ) {
    if (node.replies.length > 0 || node.more) {
      if (at === id) nodes.set(id, { ...node, gone: true });
      break;
    }
    if (at !== id && !node.gone) break;
    nodes.delete(at);
    const parent = nodes.get(node.parent)!;
    nodes.set(node.parent, { ...parent, replies: parent.replies.filter((other) => other !== at) });
  }
  return withRows({ ...thread, nodes, unloaded, waiting });
}

export function withFold(thread: Thread, id: string, fold: boolean): Thread {
  const folded = new Set(thread.folded);
  if (fold) folded.add(id);
  else folded.delete(id);
  return withRows({ ...thread, folded });
}

/** Whether a reply came since the reader's last visit or while the page is open. */
export function isNewReply({ arrived, visit }: Thread, id: string, ownerId: string | undefined): boolean {
  if (ownerId === undefined || ownerId === visit?.reader) return false;
  const since = visit?.since ?? null;
  return arrived.has(id) || (since !== null && Number(id) > Number(since));
}

/** The loaded replies that came since the last visit and have not been read. Replies in `arrived` are counted apart. */
export function unreadReplies(thread: Thread, ownerOf: (id: string) => string | undefined): string[] {
  const { visit, arrived, nodes } = thread;
  if (!visit?.since) return [];
  return [...nodes.keys()].filter(
    (id) => !visit.seen.has(id) && !arrived.has(id) && !nodes.get(id)!.gone && isNewReply(thread, id, ownerOf(id)),
  );
}

/** The posts between a reply and the page's post, the nearest first. */
export function pathOf({ nodes, postId }: Thread, id: string): string[] {
  const path: string[] = [];
  for (let at = nodes.get(id)?.parent; at && at !== postId; at = nodes.get(at)?.parent) path.push(at);
  return path;
}

/** Whether a branch folds at this post: it begins, splits or is folded here. A chain of single replies goes on without a control. */
export const isHead = ({ level, direct, folded }: Pick<Row, 'level' | 'direct' | 'folded'>): boolean =>
  level > 0 && (direct > 1 || (direct > 0 && (level === 1 || folded)));

export function withRows(thread: Thread): Thread {
  const { nodes, folded, postId } = thread;
  const rows: Array<Row & { ends: string[] }> = [];
  /** Adds the rows of a post and of what is shown below it. Returns the number of posts below it, loaded or not. */
  const walk = (id: string, above: Pick<Row, 'level' | 'head' | 'splits'>, isShown: boolean): number => {
    const { parent, gone, replies, more } = nodes.get(id)!;
    const size = more?.count ?? 0;
    const row = { ...above, id, parent, gone, size, direct: size + replies.length, folded: folded.has(id), ends: [] };
    if (isShown && row.level > 0) rows.push(row);
    const isOpen = isShown && !row.folded;
    const below = {
      level: row.level + 1,
      head: isHead(row) ? id : row.head,
      splits: row.splits + (row.level > 0 && row.direct > 1 ? 1 : 0),
    };
    for (const reply of replies) row.size += 1 + walk(reply, below, isOpen);
    if (isOpen && more) rows.at(-1)?.ends.push(id);
    return row.size;
  };
  walk(postId, { level: 0, head: null, splits: 0 }, true);
  return { ...thread, rows };
}
