import { useEffect } from 'react';
import { normalizeEmail } from '#contract/email.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import { Button } from '../../ui/button.tsx';
import { describeDevice } from './describe-device.ts';
import { EmailField } from './email-field.tsx';
import { StepForm } from './step-form.tsx';

interface EmailStepProps {
  email: string;
  error: string | null;
  busy: boolean;
  tipId: string;
  onType: (email: string) => void;
  onSubmit: () => Promise<void>;
}

const idleWithinMs = 500;

export function EmailStep({ email, error, busy, tipId, onType, onSubmit }: EmailStepProps) {
  useEffect(() => {
    // Loads its library while the address is typed.
    void whenIdle(idleWithinMs).then(describeDevice);
  }, []);

  return (
    <StepForm tip="Введите электронную почту: пришлём код для входа" tipId={tipId} onSubmit={onSubmit}>
      <EmailField
        label="Электронная почта"
        error={error}
        describedBy={tipId}
        value={email}
        readOnly={busy}
        onType={onType}
      />
      <Button type="submit" variant="primary" disabled={normalizeEmail(email) === undefined} busy={busy}>
        Получить код
      </Button>
    </StepForm>
  );
}
