import { useContext, useEffect, useState } from 'react';
import type { Post } from '#contract/posts.ts';
import { serverNow } from '../lib/server-clock.ts';
import { EditWindow } from './edit-window-context.ts';

/** More often than each second, so that none is passed over. */
const tickMs = 250;

/** The seconds left to edit a post, ticking. 0: it is too late. */
export function useEditSecondsLeft({ created_at }: Pick<Post, 'created_at'>): number {
  const end = created_at + useContext(EditWindow);
  const [left, setLeft] = useState(() => secondsUntil(end));
  const counting = left > 0;

  useEffect(() => {
    if (!counting) return undefined;
    const timer = setInterval(() => setLeft(secondsUntil(end)), tickMs);
    return () => clearInterval(timer);
  }, [counting, end]);

  return left;
}

const secondsUntil = (end: number): number => Math.max(0, Math.ceil(end - serverNow()));

/** 9:41 */
export function countdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
