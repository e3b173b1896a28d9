import { normalizeEmail } from '#contract/email.ts';
import { EmailField } from '../auth/email-field.tsx';
import { StepForm } from '../auth/step-form.tsx';
import { Button } from '../ui/button.tsx';
import type { ConfirmationFlow, ConfirmationState } from './confirmation-flow.ts';

interface NewEmailStepProps {
  flow: ConfirmationFlow;
  state: ConfirmationState;
  current: string;
  tipId: string;
  titleId: string;
}

export function NewEmailStep({ flow, state, current, tipId, titleId }: NewEmailStepProps) {
  const { email, error, busy, refused } = state;
  const tip = (
    <>
      Сейчас вы входите с адресом <b>{current}</b>. Код, который подтвердит новый, придёт на него.
    </>
  );
  return (
    <StepForm tip={tip} tipId={tipId} labelledBy={titleId} onSubmit={flow.submit}>
      <EmailField
        label="Новый адрес"
        error={error}
        describedBy={tipId}
        value={email}
        readOnly={busy !== null}
        onType={flow.setEmail}
      />
      <Button
        type="submit"
        variant="primary"
        disabled={normalizeEmail(email) === undefined || refused}
        busy={busy !== null}
      >
        Получить код
      </Button>
    </StepForm>
  );
}
