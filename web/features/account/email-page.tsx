import { useState } from 'react';
import { type CurrentUser, getCurrentUser, startEmailChange, verifyEmailChange } from '#contract/account.ts';
import { normalizeEmail } from '#contract/email.ts';
import { ApiError } from '#client/api-error.ts';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { useSession } from '../session/session.ts';
import { EmailField } from '../sign-in/email-field.tsx';
import { emailProblem } from '../sign-in/email-problem.ts';
import type { Operation } from '../sign-in/operation.ts';
import { ConfirmationPage, useConfirmation } from './confirmation-page.tsx';
import { returnToSettings } from './form-page.tsx';
import { NewDevicePage } from './new-device-page.tsx';
import { useFocusFirst } from './use-focus-first.ts';

export function EmailPage({ user }: { user: CurrentUser }) {
  const session = useSession();
  const [isNewDevice, setIsNewDevice] = useState(false);
  useFocusFirst(isNewDevice);
  const confirmation = useConfirmation({
    key: `email-change of ${user.id}`,
    async start({ email, clientToken }) {
      try {
        return await call(startEmailChange, { body: { email, clientToken } });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'DEVICE_NOT_CONFIRMED') setIsNewDevice(true);
        throw error;
      }
    },
    verify: verifyChange,
    onConfirmed: (email) => {
      session.changeUser({ email });
      returnToSettings('Адрес изменён');
    },
  });

  const { flow, state, tipId } = confirmation;
  if (isNewDevice) {
    const goOn = () => {
      setIsNewDevice(false);
      void flow.submit();
    };
    return <NewDevicePage user={user} onConfirmed={goOn} onLeave={() => setIsNewDevice(false)} />;
  }
  const { email, error, busy, rejected } = state;
  const tip = (
    <>
      Сейчас вы входите с адресом <b>{user.email}</b>. Код, который подтвердит новый, придёт на него.
    </>
  );
  return (
    <ConfirmationPage
      {...confirmation}
      title="Изменить электронную почту"
      tip={tip}
      action="Продолжить"
      leaving="Изменить адрес"
    >
      <EmailField
        label="Новый адрес"
        error={error}
        describedBy={tipId}
        value={email}
        readOnly={busy !== null}
        onType={flow.setEmail}
      />
      <Button type="submit" variant="primary" disabled={emailProblem(email) !== null || rejected} busy={busy !== null}>
        Получить код
      </Button>
    </ConfirmationPage>
  );
}

/** Resolves to the new address in the server's spelling. */
async function verifyChange(
  { id, email }: Operation,
  body: { confirmCode: string; clientToken: string },
): Promise<string> {
  try {
    return (await call(verifyEmailChange, { params: { id }, body })).email;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'OPERATION_EXPIRED')) throw error;
    // An earlier attempt may have succeeded although its response was lost.
    const user = await call(getCurrentUser, {});
    if (user.email !== normalizeEmail(email)) throw error;
    return user.email;
  }
}
