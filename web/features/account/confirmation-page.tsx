import { type ReactNode, useId, useState } from 'react';
import { useClientSettings } from '../../lib/client-settings.ts';
import { useObservable } from '../../lib/observable.ts';
import { type CodeFlowOptions, createCodeFlow, restartWithAddress } from '../sign-in/code-flow.ts';
import { CodeStep, type CodeStepProps } from '../sign-in/code-step.tsx';
import { StepForm } from '../sign-in/step-form.tsx';
import { FormPage } from './form-page.tsx';
import { useFocusFirst } from './use-focus-first.ts';

interface ConfirmationPageProps extends Omit<CodeStepProps, 'operation'> {
  title: string;
  /** Shown above the form of the first step. */
  intro?: ReactNode;
  tip: ReactNode;
  /** The fields and buttons of the first step. */
  children: ReactNode;
}

/** A page for a change of the account that a code sent by mail confirms. */
export function ConfirmationPage(props: ConfirmationPageProps) {
  const { flow, state, title, intro, tip, tipId, children } = props;
  const titleId = useId();
  useFocusFirst(state.step);
  return (
    <FormPage title={title} titleId={titleId}>
      {state.step === 'code' && state.operation ? (
        <CodeStep {...props} operation={state.operation} />
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

/** The flow of the page, its state, and the id of its tip. */
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
  return { flow, state: useObservable(flow.state), tipId: useId() };
}
