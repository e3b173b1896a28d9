import { useEffect } from 'react';
import { normalizeEmail } from '#contract/email.ts';
import { Button } from '../ui/button.tsx';
import { describeDevice } from './describe-device.ts';
import { EmailField } from './email-field.tsx';
import type { SignInFlow, SignInState } from './sign-in-flow.ts';
import { StepForm } from './step-form.tsx';

interface EmailStepProps {
  flow: SignInFlow;
  state: SignInState;
  tipId: string;
}

export function EmailStep({ flow, state, tipId }: EmailStepProps) {
  const { email, error, busy } = state;

  useEffect(() => {
    // On its way while the address is being typed.
    void describeDevice();
  }, []);

  return (
    <StepForm tip="Введите электронную почту: пришлём код для входа" tipId={tipId} onSubmit={flow.submitEmail}>
      <EmailField
        label="Электронная почта"
        error={error}
        describedBy={tipId}
        value={email}
        readOnly={busy !== null}
        onType={flow.setEmail}
      />
      <Button type="submit" variant="primary" disabled={normalizeEmail(email) === undefined} busy={busy !== null}>
        Получить код
      </Button>
    </StepForm>
  );
}
