import { useEffect, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { normalizeEmail } from '#contract/email.ts';
import { Button } from '../ui/button.tsx';
import { FormField } from '../ui/form-field.tsx';
import { clientToken } from './client-token.ts';
import { describeDevice } from './describe-device.ts';
import { emailProblem } from './email-problem.ts';
import type { SignInFlow, SignInState } from './sign-in-flow.ts';
import { StepForm } from './step-form.tsx';

interface EmailStepProps {
  flow: SignInFlow;
  state: SignInState;
  tipId: string;
}

/** Whoever stops typing for so long wants to know what is wrong. */
const typingPauseMs = 1_000;

export function EmailStep({ flow, state, tipId }: EmailStepProps) {
  const { email, error, busy } = state;
  const [judged, setJudged] = useState(false);
  const judge = () => setJudged(true);

  useEffect(() => {
    // On their way while the address is being typed. What fails here is told when they are needed.
    void clientToken().catch(() => {});
    void describeDevice();
  }, []);

  useEffect(() => {
    if (email === '') return undefined;
    const timer = setTimeout(() => setJudged(true), typingPauseMs);
    return () => clearTimeout(timer);
  }, [email]);

  const type = (typed: string) => {
    flow.setEmail(typed);
    if (typed === '') judge();
  };
  // The field keeps the focus of the page when only the window loses it.
  const leave = ({ target }: FocusEvent) => {
    if (target !== document.activeElement) judge();
  };
  // A disabled button takes no Enter.
  const enter = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') judge();
  };

  return (
    <StepForm tip="Введите электронную почту: пришлём код для входа" tipId={tipId} onSubmit={flow.submitEmail}>
      <FormField
        data-autofocus
        label="Электронная почта"
        error={error ?? (judged ? emailProblem(email) : null)}
        describedBy={tipId}
        // Not type=email: browsers rewrite what is typed there.
        inputMode="email"
        autoComplete="email"
        autoCapitalize="off"
        spellCheck={false}
        value={email}
        readOnly={busy !== null}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
        onKeyDown={enter}
      />
      <Button type="submit" variant="primary" disabled={normalizeEmail(email) === undefined} busy={busy !== null}>
        Получить код
      </Button>
    </StepForm>
  );
}
