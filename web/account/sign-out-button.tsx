import { useSession } from '../auth/session-context.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { useTask } from './use-task.ts';

export function SignOutButton() {
  const session = useSession();
  const { busy, error, run } = useTask(session.signOut);
  return (
    <>
      <FormError>{error}</FormError>
      <Button busy={busy} onClick={() => void run()}>
        Выйти
      </Button>
    </>
  );
}
