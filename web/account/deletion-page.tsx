import { useId } from 'react';
import { type CurrentUser, startDeletion, verifyDeletion } from '#contract/account.ts';
import { useCodePause } from '../auth/code-pause.ts';
import { CodeStep } from '../auth/code-step.tsx';
import { useSession } from '../auth/session-context.ts';
import { call } from '../lib/api.ts';
import { showToast } from '../lib/toasts.ts';
import { DeletionStep } from './deletion-step.tsx';
import { FormPage } from './form-page.tsx';
import { useConfirmation } from './use-confirmation.ts';

export function DeletionPage({ user }: { user: CurrentUser }) {
  const session = useSession();
  const pauseSeconds = useCodePause();
  const [titleId, tipId] = [useId(), useId()];
  const { flow, state } = useConfirmation({
    key: `deletion of ${user.id}`,
    email: user.email,
    pauseSeconds,
    waitsForButton: true,
    start: (_email, clientToken) => call(startDeletion, { body: { clientToken } }),
    verify: ({ id }, confirmation) => call(verifyDeletion, { params: { id }, body: confirmation }),
    onConfirmed: () => {
      session.leave();
      showToast('Учётная запись удалена');
    },
  });

  return (
    <FormPage title="Удалить учётную запись?" titleId={titleId}>
      {state.step === 'code' && state.operation ? (
        <CodeStep
          flow={flow}
          state={state}
          operation={state.operation}
          tipId={tipId}
          action="Удалить учётную запись"
          leaving="Вернуться"
          onLeave={flow.leaveCode}
        />
      ) : (
        <DeletionStep flow={flow} state={state} user={user} tipId={tipId} titleId={titleId} />
      )}
    </FormPage>
  );
}
