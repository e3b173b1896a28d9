import { type ReactNode, useId, useState } from 'react';
import { useClientSettings } from '../../lib/client-settings.ts';
import { useObservable } from '../../lib/observable.ts';
import {
  type CodeFlow,
  type CodeFlowOptions,
  type CodeFlowState,
  createCodeFlow,
  restartWithAddress,
} from '../sign-in/code-flow.ts';
import { CodeStep } from '../sign-in/code-step.tsx';
import { StepForm } from '../sign-in/step-form.tsx';
import { FormPage } from './form-page.tsx';

interface ConfirmationPageProps {
  flow: CodeFlow;
  state: CodeFlowState;
  title: string;
  /** Shown above the form of the first step. */
  intro?: ReactNode;
  tip: ReactNode;
  tipId: string;
  /** The words on the button that sends the code. */
  action: string;
  /** The words on the button that leads from the code back to the first step. */
  leaving: string;
  /** The fields and buttons of the first step. */
  children: ReactNode;
}

/** A page for a change of the account that a code sent by mail confirms. */
export function ConfirmationPage(props: ConfirmationPageProps) {
  const { flow, state, title, intro, tip, tipId, action, leaving, children } = props;
  const titleId = useId();
  return (
    <FormPage title={title} titleId={titleId}>
      {state.step === 'code' && state.operation ? (
        <CodeStep
          flow={flow}
          state={state}
          operation={state.operation}
          tipId={tipId}
          action={action}
          leaving={leaving}
        />
      ) : (
        <>
          {intro}
          <StepForm tip={tip} tipId={tipId} labelledBy={titleId} onSubmit={flow.submit}>
            {children}
          </StepForm>
        </>
      )}
    </FormPage>
  );
}

type ConfirmationOptions<Verified> = Pick<
  CodeFlowOptions<Verified>,
  'key' | 'email' | 'waitsForButton' | 'start' | 'verify'
> & { onConfirmed: (verified: Verified) => void };

export function useConfirmation<Verified>({ onConfirmed, ...options }: ConfirmationOptions<Verified>) {
  const { codeResendSeconds } = useClientSettings();
  const [flow] = useState(() =>
    createCodeFlow({
      ...options,
      pauseSeconds: codeResendSeconds,
      async onVerified(verified) {
        onConfirmed(verified);
        return null;
      },
      onError: restartWithAddress,
    }),
  );
  return { flow, state: useObservable(flow.state) };
}
