import { useId } from 'react';
import { type CurrentUser, startDeviceConfirmation, verifyDeviceConfirmation } from '#contract/account.ts';
import { useCodePause } from '../auth/code-pause.ts';
import { CodeStep } from '../auth/code-step.tsx';
import { StepForm } from '../auth/step-form.tsx';
import { call } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { FormPage } from './form-page.tsx';
import { useConfirmation } from './use-confirmation.ts';

interface NewDevicePageProps {
  user: CurrentUser;
  onConfirmed: () => void;
  onLeave: () => void;
}

/** On a device that is new to the account a code to its present address comes before a new address. */
export function NewDevicePage({ user, onConfirmed, onLeave }: NewDevicePageProps) {
  const pauseSeconds = useCodePause();
  const [titleId, tipId] = [useId(), useId()];
  const { flow, state } = useConfirmation({
    key: `device of ${user.id}`,
    email: user.email,
    pauseSeconds,
    start: (_email, clientToken) => call(startDeviceConfirmation, { body: { clientToken } }),
    verify: ({ id }, confirmation) => call(verifyDeviceConfirmation, { params: { id }, body: confirmation }),
    onConfirmed,
  });
  const tip = (
    <>
      Вы вошли с этого устройства недавно, и раньше мы его не видели. Чтобы никто чужой не сменил ваш адрес, подтвердите
      устройство кодом: пришлём его на <b>{user.email}</b>. Без кода адрес можно изменить через сутки после входа.
    </>
  );

  return (
    <FormPage title="Подтвердите это устройство" titleId={titleId}>
      {state.step === 'code' && state.operation ? (
        <CodeStep
          flow={flow}
          state={state}
          operation={state.operation}
          tipId={tipId}
          action="Подтвердить"
          leaving="Вернуться"
          onLeave={flow.leaveCode}
        />
      ) : (
        <StepForm tip={tip} tipId={tipId} labelledBy={titleId} onSubmit={flow.submit}>
          <FormError>{state.error}</FormError>
          <Button type="submit" variant="primary" aria-describedby={tipId} busy={state.busy !== null}>
            Получить код
          </Button>
          <Button variant="plain" disabled={state.busy !== null} onClick={onLeave}>
            Вернуться
          </Button>
        </StepForm>
      )}
    </FormPage>
  );
}
