import { listAnswers } from '#contract/answers.ts';
import type { PostPage } from '#contract/posts.ts';
import { call } from '../lib/api.ts';
import { unreadAnswers } from './unread-answers.ts';

type Place = NonNullable<typeof listAnswers.call>['query'];

export async function fetchAnswers(query: Place, signal: AbortSignal): Promise<PostPage> {
  const page = await call(listAnswers, { query, signal });
  // Further down, the number may speak of answers over the list that have not been heard of.
  if (query.cursor === undefined) unreadAnswers.hear(page.unread);
  return page;
}
