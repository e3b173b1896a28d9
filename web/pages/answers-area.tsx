import { useOnDemand } from '../lib/on-demand.ts';
import type { PostListId } from '../posts/post-store.ts';
import { answersPage } from './answers.ts';
import { FailedPage } from './failed-page.tsx';
import { LoadingPage } from './loading-page.tsx';

/** The answers of whoever is signed in; the page's code may have to come first. */
export function AnswersArea({ list }: { list: PostListId }) {
  const { thing: AnswersPage, failure, retry } = useOnDemand(answersPage, true);
  if (failure !== null) return <FailedPage message={failure} onRetry={retry} />;
  if (AnswersPage === undefined) return <LoadingPage of={{ name: 'answers' }} />;
  return <AnswersPage list={list} />;
}
