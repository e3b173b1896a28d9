import type { CurrentUser } from '#contract/account.ts';
import { StepForm } from '../auth/step-form.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import type { ConfirmationFlow, ConfirmationState } from './confirmation-flow.ts';
import styles from './deletion-step.module.css';
import { DownloadButton } from './download-button.tsx';

interface DeletionStepProps {
  flow: ConfirmationFlow;
  state: ConfirmationState;
  user: CurrentUser;
  tipId: string;
  titleId: string;
}

/** Says plainly what will be gone, and offers to take it along first. */
export function DeletionStep({ flow, state, user, tipId, titleId }: DeletionStepProps) {
  const tip = (
    <>
      Чтобы удалить учётную запись, понадобится код: пришлём его на <b>{user.email}</b>.
    </>
  );
  return (
    <>
      <ul className={styles.consequences}>
        <li>Ваши записи, ответы и отметки «Нравится» исчезнут со стены.</li>
        <li>
          Имя <bdi>{user.username}</bdi> больше никто не получит, даже вы.
        </li>
        <li>Все сеансы завершатся сразу, на всех устройствах.</li>
        <li>Отменить удаление и вернуть что-либо будет нельзя.</li>
      </ul>
      <p>Сначала можно забрать написанное с собой:</p>
      <DownloadButton username={user.username} variant="quiet" />
      <StepForm tip={tip} tipId={tipId} labelledBy={titleId} onSubmit={flow.submit}>
        <FormError>{state.error}</FormError>
        <Button type="submit" variant="primary" aria-describedby={tipId} busy={state.busy !== null}>
          Получить код
        </Button>
      </StepForm>
    </>
  );
}
