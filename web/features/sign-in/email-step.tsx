import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { WallTextLinks } from '../wall-texts/wall-text-links.tsx';
import { readPendingAction } from '../session/actions.ts';
import { EmailField } from './email-field.tsx';
import { emailProblem } from './email-problem.ts';
import { purposeOf } from './purpose.ts';
import { StepForm } from './step-form.tsx';

interface EmailStepProps {
  email: string;
  error: string | null;
  busy: boolean;
  tipId: string;
  onType: (email: string) => void;
  onSubmit: () => Promise<void>;
  /** Below the field. */
  children?: ReactNode;
}

export function EmailStep({ email, error, busy, tipId, onType, onSubmit, children }: EmailStepProps) {
  const [purpose] = useState(() => purposeOf(readPendingAction()));
  return (
    <StepForm
      purpose={purpose}
      tip="Введите электронную почту: пришлём код для входа"
      tipId={tipId}
      onSubmit={onSubmit}
    >
      <EmailField
        label="Электронная почта"
        error={error}
        describedBy={tipId}
        value={email}
        readOnly={busy}
        onType={onType}
      />
      {children}
      <Button type="submit" variant="primary" disabled={emailProblem(email) !== null} busy={busy}>
        Получить код
      </Button>
      <WallTextLinks target="_blank" />
    </StepForm>
  );
}
