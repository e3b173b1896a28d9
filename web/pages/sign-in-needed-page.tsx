import { useIntend } from '../auth/intent-context.ts';
import { Button } from '../ui/button.tsx';
import { NotFoundPage } from './not-found-page.tsx';

/** A secured page that nobody is signed in to see. Signing in brings them back to it. */
export function SignInNeededPage() {
  const intend = useIntend();
  return (
    <NotFoundPage
      action={
        <Button variant="primary" onClick={() => intend({ kind: 'visit' })}>
          Войти
        </Button>
      }
    />
  );
}
