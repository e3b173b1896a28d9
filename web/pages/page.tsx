import { EmailUndoPage } from '../account/email-undo-page.tsx';
import { isPersonal } from '../router/routes.ts';
import type { View } from '../router/screen.ts';
import { AnswersArea } from './answers-area.tsx';
import { FailedPage } from './failed-page.tsx';
import { FeedPage } from './feed-page.tsx';
import { LoadingPage } from './loading-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { PersonalPage } from './personal-page.tsx';
import { PostNotFoundPage } from './post-not-found-page.tsx';
import { PostPage } from './post-page.tsx';
import { SessionFailedPage } from './session-failed-page.tsx';
import { SettingsArea } from './settings-area.tsx';
import { SignInNeededPage } from './sign-in-needed-page.tsx';
import { UnrevealedPage } from './unrevealed-page.tsx';
import { UserPage } from './user-page.tsx';

interface PageProps {
  view: View;
  onRetry: () => void;
  onReveal: () => void;
}

export function Page({ view, onRetry, onReveal }: PageProps) {
  switch (view.kind) {
    case 'feed':
      return <FeedPage key={view.list} list={view.list} />;
    case 'post':
      return <PostPage key={view.list} id={view.id} replies={view.list} />;
    case 'user':
      return <UserPage key={view.list} user={view.user} list={view.list} />;
    case 'personal':
      return view.of.name === 'answers' ? (
        <AnswersArea key={view.list} list={view.list} />
      ) : (
        <PersonalPage key={view.list} of={view.of} list={view.list} hidden={view.hidden} />
      );
    case 'post-not-found':
      return <PostNotFoundPage key={view.id} id={view.id} />;
    case 'secured':
      return isPersonal(view.of) ? <UnrevealedPage of={view.of} onReveal={onReveal} /> : <SettingsArea of={view.of} />;
    case 'email-undo':
      return <EmailUndoPage outcome={view.outcome} />;
    case 'sign-in-needed':
      return <SignInNeededPage />;
    case 'session-failed':
      return <SessionFailedPage message={view.message} />;
    case 'not-found':
      return <NotFoundPage />;
    case 'loading':
      return <LoadingPage of={view.of} />;
    case 'failed':
      return <FailedPage message={view.message} onRetry={onRetry} />;
  }
}
