import type { Step } from './wall.ts';

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

/** Increments caused by the steps, by post number and by person number. */
export function changesOf(steps: readonly Step[]): { posts: Map<number, PostChange>; users: Map<number, UserChange> } {
  const posts = new Map<number, PostChange>();
  const users = new Map<number, UserChange>();
  const ofPost = (post: number) => entry(posts, post, () => ({ likes: 0, replies: 0, thread: 0 }));
  const ofUser = (person: number) => entry(users, person, () => ({ posts: 0, likes: 0, replies: 0 }));

  for (const { post, likes } of steps) {
    if (post.replied === null) {
      ofUser(post.author).posts += 1;
    } else {
      ofUser(post.author).replies += 1;
      ofPost(post.replied).replies += 1;
      ofPost(post.parent!).thread += 1;
    }
    for (const like of likes) {
      ofPost(like.post).likes += 1;
      ofUser(like.person).likes += 1;
    }
  }
  return { posts, users };
}

function entry<T>(map: Map<number, T>, key: number, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
