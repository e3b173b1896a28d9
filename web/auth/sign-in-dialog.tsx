import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { ClientSettings } from '#contract/page.ts';
import { BrickMark } from '../ui/brick-mark.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { BlockedStep } from './blocked-step.tsx';
import { CodeStep } from './code-step.tsx';
import { EmailStep } from './email-step.tsx';
import { OfferStep } from './offer-step.tsx';
import { createSignInFlow } from './sign-in-flow.ts';

interface SignInDialogProps {
  open: boolean;
  settings: ClientSettings;
  onSignedIn: () => void;
  onClose: () => void;
}

export function SignInDialog({ open, settings, onSignedIn, onClose }: SignInDialogProps) {
  const [flow] = useState(() => createSignInFlow({ pauseSeconds: settings.codeResendSeconds, onSignedIn }));
  const state = useSyncExternalStore(flow.subscribe, flow.state, flow.state);
  const tipId = useId();

  useEffect(() => {
    if (open) flow.open();
  }, [open, flow]);

  const step = { flow, state, tipId };
  return (
    <Dialog
      open={open}
      title={
        <>
          <BrickMark /> {settings.appName}
        </>
      }
      label={`Войти — ${settings.appName}`}
      part={`${state.step} ${state.operation?.id} ${state.invite !== null}`}
      onClose={onClose}
    >
      {state.step === 'email' && <EmailStep {...step} />}
      {state.step === 'blocked' && <BlockedStep {...step} />}
      {state.step === 'offer' && <OfferStep {...step} />}
      {state.step === 'code' && state.operation && (
        <CodeStep
          {...step}
          operation={state.operation}
          action="Продолжить"
          leaving="Изменить адрес"
          onLeave={flow.changeAddress}
        />
      )}
    </Dialog>
  );
}
