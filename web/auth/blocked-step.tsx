import { Button } from '../ui/button.tsx';
import type { SignInFlow, SignInState } from './sign-in-flow.ts';
import { StepForm } from './step-form.tsx';

interface BlockedStepProps {
  flow: SignInFlow;
  state: SignInState;
  tipId: string;
}

/** The code was right, and the account is closed to its owner. */
export function BlockedStep({ flow, state, tipId }: BlockedStepProps) {
  return (
    <StepForm tip={state.error} tipId={tipId} onSubmit={async () => flow.changeAddress()}>
      <Button type="submit" variant="primary" data-autofocus aria-describedby={tipId}>
        Вернуться
      </Button>
    </StepForm>
  );
}
