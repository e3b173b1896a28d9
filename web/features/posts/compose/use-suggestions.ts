import { useEffect, useState } from 'react';
import type { Owner } from '#contract/posts.ts';
import { isNamedLike } from '#contract/profile-text.ts';
import { listSuggestions } from '#contract/suggestions.ts';
import { sameUsername } from '#contract/username.ts';
import { call } from '../../../lib/api.ts';

/** The pause in typing after which people are asked for. */
const pauseMs = 200;

interface Suggestions {
  typed: string;
  users: readonly Owner[];
}

const nobody: Suggestions = { typed: '', users: [] };

/**
 * People to mention by what was typed, null while no mention is typed. Nobody when the request fails, or when nobody else
 * than the one whose whole name stands there can be meant.
 */
export function useSuggestions(typed: string | null, postId: string | null): readonly Owner[] {
  const [found, setFound] = useState(nobody);

  useEffect(() => {
    // A new post has no discussion whose people could be suggested.
    if (typed === null || (typed === '' && postId === null)) return undefined;
    const asking = new AbortController();
    const { signal } = asking;
    const ask = async () => {
      const query = { q: typed, ...(postId !== null && { post_id: postId }) };
      const { users } = await call(listSuggestions, { query, signal }).catch(() => nobody);
      if (!signal.aborted) setFound({ typed, users });
    };
    const timer = setTimeout(ask, pauseMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [typed, postId]);

  // Until the next response the last one serves, as far as it goes with what has been typed since.
  if (!typed?.startsWith(found.typed)) return nobody.users;
  const users = found.users.filter((user) => isNamedLike(user, typed));
  return users.length === 1 && sameUsername(users[0]!.username, typed) ? nobody.users : users;
}
