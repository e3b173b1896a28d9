import { useEffect, useId } from 'react';
import { startModeration, verifyModeration } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { useConfirmation } from '../../account/confirmation-page.tsx';
import { useSessionState } from '../../session/session.ts';
import { CodeStep } from '../../sign-in/code-step.tsx';

interface FreshCodeProps {
  onConfirmed: () => void;
  onLeave: () => void;
}

/** Acts on accounts need a code that is at most 15 minutes old. It is sent at once. */
export function FreshCode({ onConfirmed, onLeave }: FreshCodeProps) {
  const tipId = useId();
  const session = useSessionState();
  const user = session.is === 'authorized' ? session.user : { id: '', email: '' };
  const { flow, state } = useConfirmation({
    key: `moderation of ${user.id}`,
    email: user.email,
    start: ({ clientToken }) => call(startModeration, { body: { clientToken } }),
    verify: ({ id }, body) => call(verifyModeration, { params: { id }, body }),
    onConfirmed,
  });

  useEffect(() => {
    if (flow.state.get().step === 'start') void flow.submit();
  }, [flow]);

  if (state.step === 'code' && state.operation) {
    return (
      <CodeStep
        // The code stays valid while its moderator looks at the form again.
        flow={{ ...flow, leaveCode: onLeave }}
        state={state}
        operation={state.operation}
        tipId={tipId}
        action="Подтвердить"
        leaving="Вернуться"
      />
    );
  }
  return (
    <>
      <p role="status">{state.error === null && 'Отправляем код на почту…'}</p>
      <FormError>{state.error}</FormError>
      {state.error !== null && (
        <Button variant="primary" busy={state.busy !== null} onClick={() => void flow.submit()}>
          Повторить
        </Button>
      )}
      <Button onClick={onLeave}>Вернуться</Button>
    </>
  );
}
