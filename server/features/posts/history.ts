/** A part of what has happened elsewhere, or was generated: people, posts and likes under ids that are reserved for them. */
export interface History {
  people: readonly HistoryPerson[];
  /** In the order of their ids and times. */
  posts: readonly HistoryPost[];
  likes: readonly HistoryLike[];
}

interface HistoryPerson {
  id: number;
  username: string;
  displayName: string | null;
  email: string;
  createdAt: number;
}

interface HistoryPost {
  id: number;
  userId: number;
  text: string;
  createdAt: number;
  modifiedAt: number | null;
  parentId: number | null;
  repliedId: number | null;
  /** 0 for a root post. */
  depth: number;
}

interface HistoryLike {
  postId: number;
  userId: number;
  createdAt: number;
}

interface Change {
  likes: number;
  replies: number;
}

/** Increments of a post's counts. */
export interface PostChange extends Change {
  /** All replies below a root post. */
  thread: number;
}

/** Increments of a person's counts. */
interface UserChange extends Change {
  posts: number;
}

/** Increments caused by a part of the history, by the ids of posts and of people. */
export function changesOf({ posts: written, likes }: Pick<History, 'posts' | 'likes'>): {
  posts: Map<number, PostChange>;
  users: Map<number, UserChange>;
} {
  const posts = new Map<number, PostChange>();
  const users = new Map<number, UserChange>();
  const ofPost = (id: number) => entry(posts, id, () => ({ likes: 0, replies: 0, thread: 0 }));
  const ofUser = (id: number) => entry(users, id, () => ({ posts: 0, likes: 0, replies: 0 }));

  for (const { userId, repliedId, parentId } of written) {
    if (repliedId === null) {
      ofUser(userId).posts += 1;
    } else {
      ofUser(userId).replies += 1;
      ofPost(repliedId).replies += 1;
      ofPost(parentId!).thread += 1;
    }
  }
  for (const { postId, userId } of likes) {
    ofPost(postId).likes += 1;
    ofUser(userId).likes += 1;
  }
  return { posts, users };
}

function entry<T>(map: Map<number, T>, key: number, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
