import type { Post } from '#contract/posts.ts';

export type Like = Pick<Post['actions'], 'is_liked' | 'likes_count'>;

export interface LikeTold {
  /** Of the post. */
  id: string;
  like: Like;
}

/** Tells the other tabs of this browser of a like or unlike that the server has taken. */
export function openLikeChannel(receive: (told: LikeTold) => void): (told: LikeTold) => void {
  if (!('BroadcastChannel' in window)) return () => {};
  const channel = new BroadcastChannel('likes');
  channel.addEventListener('message', ({ data }: MessageEvent<LikeTold>) => receive(data));
  return (told) => channel.postMessage(told);
}
