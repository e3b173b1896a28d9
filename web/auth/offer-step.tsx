import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { FormField } from '../ui/form-field.tsx';
import type { SignInFlow, SignInState } from './sign-in-flow.ts';
import { StepForm } from './step-form.tsx';

interface OfferStepProps {
  flow: SignInFlow;
  state: SignInState;
  tipId: string;
}

/** The address is not known here: it may become an account, with an invitation perhaps, or it was mistyped. */
export function OfferStep({ flow, state, tipId }: OfferStepProps) {
  const { invite, error } = state;
  const busy = state.busy !== null;
  const byInvitation = invite !== null;
  const tip = byInvitation ? (
    'Здесь регистрируют по приглашениям. Введите код, который вам дал тот, кто ведёт стену.'
  ) : (
    <>
      Аккаунта с адресом <b>{state.email.trim()}</b> ещё нет. Продолжите, чтобы создать его: код придёт на эту почту.
    </>
  );
  return (
    <StepForm tip={tip} tipId={tipId} onSubmit={flow.register}>
      {byInvitation ? (
        <FormField
          label="Код приглашения"
          error={error}
          describedBy={tipId}
          data-autofocus
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          value={invite}
          readOnly={busy}
          onChange={(event) => flow.setInvite(event.target.value)}
        />
      ) : (
        <FormError>{error}</FormError>
      )}
      <Button
        type="submit"
        variant="primary"
        data-autofocus={!byInvitation || undefined}
        aria-describedby={tipId}
        disabled={invite?.trim() === ''}
        busy={busy}
      >
        Продолжить
      </Button>
      <Button disabled={busy} onClick={flow.changeAddress}>
        Вернуться
      </Button>
    </StepForm>
  );
}
