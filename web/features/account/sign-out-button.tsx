import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useSession } from '../session/session.ts';
import { useRequest } from '../session/use-request.ts';

export function SignOutButton() {
  const session = useSession();
  const { busy, error, send } = useRequest();
  return (
    <>
      <FormError>{error}</FormError>
      <Button busy={busy} onClick={() => void send(session.signOut)}>
        Выйти
      </Button>
    </>
  );
}
