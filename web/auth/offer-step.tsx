import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import type { SignInFlow, SignInState } from './sign-in-flow.ts';
import { StepForm } from './step-form.tsx';

interface OfferStepProps {
  flow: SignInFlow;
  state: SignInState;
  tipId: string;
}

/** The address is not known here: it may become an account, or it was mistyped. */
export function OfferStep({ flow, state, tipId }: OfferStepProps) {
  const busy = state.busy !== null;
  const tip = (
    <>
      Аккаунта с адресом <b>{state.email.trim()}</b> ещё нет. Продолжите, чтобы создать его: код придёт на эту почту.
    </>
  );
  return (
    <StepForm tip={tip} tipId={tipId} onSubmit={flow.register}>
      <FormError>{state.error}</FormError>
      <Button type="submit" variant="primary" data-autofocus aria-describedby={tipId} busy={busy}>
        Продолжить
      </Button>
      <Button disabled={busy} onClick={flow.changeAddress}>
        Вернуться
      </Button>
    </StepForm>
  );
}
