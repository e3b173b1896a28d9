import { BlockedStep } from './blocked-step.tsx';
import { CodeStep } from './code-step.tsx';
import { OfferStep } from './offer-step.tsx';
import type { SignInFlow, SignInState } from './sign-in-flow.ts';

interface LaterStepProps {
  flow: SignInFlow;
  state: SignInState;
  tipId: string;
}

/** What follows the address. */
export function LaterStep(props: LaterStepProps) {
  const { flow, state } = props;
  if (state.step === 'blocked') return <BlockedStep {...props} />;
  if (state.step === 'offer') return <OfferStep {...props} />;
  if (state.operation === null) return null;
  return (
    <CodeStep
      {...props}
      operation={state.operation}
      action="Продолжить"
      leaving="Изменить адрес"
      onLeave={flow.changeAddress}
    />
  );
}
