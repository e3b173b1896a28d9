import { type CurrentUser, startDeviceConfirmation, verifyDeviceConfirmation } from '#contract/account.ts';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { ConfirmationPage, useConfirmation } from './confirmation-page.tsx';

interface NewDevicePageProps {
  user: CurrentUser;
  onConfirmed: () => void;
  onLeave: () => void;
}

/** On a device that is new to the account, a code sent to the current address comes before a change of address. */
export function NewDevicePage({ user, onConfirmed, onLeave }: NewDevicePageProps) {
  const confirmation = useConfirmation({
    key: `device of ${user.id}`,
    email: user.email,
    start: ({ clientToken }) => call(startDeviceConfirmation, { body: { clientToken } }),
    verify: ({ id }, body) => call(verifyDeviceConfirmation, { params: { id }, body }),
    onConfirmed,
  });
  const { state, tipId } = confirmation;
  const tip = (
    <>
      Вы вошли с этого устройства недавно, и раньше мы его не видели. Чтобы никто чужой не сменил ваш адрес, подтвердите
      устройство кодом: пришлём его на <b>{user.email}</b>. Без кода адрес можно изменить через сутки после входа.
    </>
  );

  return (
    <ConfirmationPage
      {...confirmation}
      title="Подтвердите это устройство"
      tip={tip}
      action="Подтвердить"
      leaving="Вернуться"
    >
      <FormError>{state.error}</FormError>
      <Button type="submit" variant="primary" aria-describedby={tipId} busy={state.busy !== null}>
        Получить код
      </Button>
      <Button variant="plain" disabled={state.busy !== null} onClick={onLeave}>
        Вернуться
      </Button>
    </ConfirmationPage>
  );
}
