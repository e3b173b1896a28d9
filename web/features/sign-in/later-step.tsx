import { addresses } from '#contract/addresses.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { WallTextLinks } from '../wall-texts/wall-text-links.tsx';
import { ContactLine } from '../session/contact-line.tsx';
import type { CodeFlow, CodeFlowState } from './code-flow.ts';
import { CodeStep } from './code-step.tsx';
import { Entrance, InviteField } from './entrance.tsx';
import { StepForm } from './step-form.tsx';
import { askForCode } from './who-may-come.ts';

interface StepProps {
  flow: CodeFlow;
  state: CodeFlowState;
  tipId: string;
}

/** Changes with the step, the operation and the field for an invitation: each moves the focus. The flow’s own arrival does not. */
export const partOf = ({ step, operation, invite }: CodeFlowState): string | undefined =>
  step === 'start' && operation === null
    ? undefined
    : `${step} ${operation?.id} ${step === 'offer' && invite !== null}`;

/** The props of the step that asks for the address, once the flow is loaded. */
export const emailStep = ({ flow, state }: Omit<StepProps, 'tipId'>) => ({
  email: state.email,
  error: state.error,
  busy: state.busy !== null,
  onType: flow.setEmail,
  onSubmit: flow.submit,
  children: <Entrance flow={flow} state={state} />,
});

/** The steps of sign-in after the address. */
export function LaterStep(props: StepProps) {
  const { step, operation } = props.state;
  if (step === 'blocked') return <BlockedStep {...props} />;
  if (step === 'offer') return <OfferStep {...props} />;
  if (operation === null) return null;
  return <CodeStep {...props} operation={operation} action="Продолжить" leaving="Изменить адрес" />;
}

/** No account has this address: offers to create one, and asks for an invitation if the server requires it. */
function OfferStep({ flow, state, tipId }: StepProps) {
  const { invite, consent, error } = state;
  const { registration } = useClientSettings();
  const busy = state.busy !== null;
  const byInvitation = invite !== null;
  const tip = byInvitation ? (
    askForCode(registration)
  ) : (
    <>
      Учётной записи с адресом <b>{state.email.trim()}</b> ещё нет. Продолжите, чтобы создать её: код придёт на эту
      почту.
    </>
  );
  return (
    <StepForm tip={tip} tipId={tipId} onSubmit={flow.register}>
      {byInvitation ? (
        <InviteField flow={flow} state={state} tipId={tipId} error={error} isFirst />
      ) : (
        <FormError>{error}</FormError>
      )}
      {consent !== null && (
        <CheckBox checked={state.agreed} disabled={busy} error={state.consentError} onCheck={flow.setAgreed}>
          Я согласен(на) на{' '}
          <a href={addresses.wallText.href({ name: 'consent' })} target="_blank">
            обработку персональных данных
          </a>
        </CheckBox>
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
      <Button disabled={busy} onClick={flow.leaveCode}>
        Вернуться
      </Button>
      <WallTextLinks target="_blank" />
    </StepForm>
  );
}

/** The code was right, but the account is blocked. */
function BlockedStep({ flow, state, tipId }: StepProps) {
  return (
    <StepForm tip={state.error} tipId={tipId} onSubmit={async () => flow.leaveCode()}>
      <ContactLine />
      <Button type="submit" variant="primary" data-autofocus aria-describedby={tipId}>
        Вернуться
      </Button>
    </StepForm>
  );
}
