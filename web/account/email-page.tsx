import { useId, useState } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { useCodePause } from '../auth/code-pause.ts';
import { CodeStep } from '../auth/code-step.tsx';
import { useSession } from '../auth/session-context.ts';
import { ApiError } from '../lib/api-error.ts';
import { backToSettings } from './back-to-settings.ts';
import { beginEmailChange, confirmEmailChange } from './change-email.ts';
import { FormPage } from './form-page.tsx';
import { NewDevicePage } from './new-device-page.tsx';
import { NewEmailStep } from './new-email-step.tsx';
import { useConfirmation } from './use-confirmation.ts';

export function EmailPage({ user }: { user: CurrentUser }) {
  const session = useSession();
  const pauseSeconds = useCodePause();
  const [titleId, tipId] = [useId(), useId()];
  const [isNewDevice, setIsNewDevice] = useState(false);
  const { flow, state } = useConfirmation({
    key: `email-change of ${user.id}`,
    email: '',
    pauseSeconds,
    start: async (email, clientToken) => {
      try {
        return await beginEmailChange(email, clientToken);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'DEVICE_NOT_CONFIRMED') setIsNewDevice(true);
        throw error;
      }
    },
    verify: confirmEmailChange,
    onConfirmed: (email) => {
      session.changeUser({ email });
      backToSettings('Адрес изменён');
    },
  });

  if (isNewDevice) {
    const goOn = () => {
      setIsNewDevice(false);
      void flow.submit();
    };
    return <NewDevicePage user={user} onConfirmed={goOn} onLeave={() => setIsNewDevice(false)} />;
  }
  return (
    <FormPage title="Изменить электронную почту" titleId={titleId}>
      {state.step === 'code' && state.operation ? (
        <CodeStep
          flow={flow}
          state={state}
          operation={state.operation}
          tipId={tipId}
          action="Продолжить"
          leaving="Изменить адрес"
          onLeave={flow.leaveCode}
        />
      ) : (
        <NewEmailStep flow={flow} state={state} current={user.email} tipId={tipId} titleId={titleId} />
      )}
    </FormPage>
  );
}
