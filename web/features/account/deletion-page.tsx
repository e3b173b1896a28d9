import { useEffect, useRef } from 'react';
import type { ApiError } from '#client/api-error.ts';
import { type CurrentUser, startDeletion, verifyDeletion } from '#contract/account.ts';
import { call } from '../../lib/api.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useSession } from '../session/session.ts';
import { ConfirmationPage, useConfirmation } from './confirmation-page.tsx';
import { DeletionConsequences } from './deletion-consequences.tsx';
import { DownloadButton } from './download-button.tsx';

export function DeletionPage({ user }: { user: CurrentUser }) {
  const session = useSession();
  const mayBeDeleted = useRef(false);
  useEffect(
    () => () => {
      session.mayEnd(false);
      // The page is left before the session has ended.
      setTimeout(() => {
        if (mayBeDeleted.current && session.state.get().is === 'signed-out') showToast('Учётная запись удалена');
      });
    },
    [session],
  );
  const confirmation = useConfirmation({
    key: `deletion of ${user.id}`,
    email: user.email,
    waitsForButton: true,
    start: ({ clientToken }) => call(startDeletion, { body: { clientToken } }),
    async verify({ id }, body) {
      try {
        await call(verifyDeletion, { params: { id }, body });
      } catch (error) {
        const { status } = error as ApiError;
        // If the session turns out to have ended after a lost response, the account is deleted.
        const isLost = status === 0 || status >= 500;
        if (isLost && session.state.get().is === 'authorized') {
          mayBeDeleted.current = true;
          session.mayEnd(true);
        }
        throw error;
      }
    },
    onConfirmed: () => {
      mayBeDeleted.current = true;
      session.endByChoice();
    },
  });
  const { state, tipId } = confirmation;

  const intro = (
    <>
      <DeletionConsequences username={user.username} />
      <p>Сначала можно забрать написанное с собой:</p>
      <DownloadButton username={user.username} variant="quiet" />
    </>
  );
  const tip = (
    <>
      Чтобы удалить учётную запись, понадобится код: пришлём его на <b>{user.email}</b>.
    </>
  );
  return (
    <ConfirmationPage
      {...confirmation}
      title="Удалить учётную запись?"
      intro={intro}
      tip={tip}
      action="Удалить учётную запись"
      isDangerous
      leaving="Вернуться"
    >
      <FormError>{state.error}</FormError>
      <Button type="submit" variant="primary" aria-describedby={tipId} busy={state.busy !== null}>
        Получить код
      </Button>
    </ConfirmationPage>
  );
}
