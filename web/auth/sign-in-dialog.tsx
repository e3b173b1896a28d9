import { useId, useState } from 'react';
import { BrickMark } from '../ui/brick-mark.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmailStep } from './email-step.tsx';
import type { SignInState } from './sign-in-flow.ts';
import { signInOperation } from './sign-in-operation.ts';
import { useWayIn } from './use-way-in.ts';
import type { WayIn } from './way-in.ts';

interface SignInDialogProps {
  open: boolean;
  wayIn: WayIn;
  appName: string;
  onClose: () => void;
}

/** Its first step is there at once, as phones show their keyboard only for what follows a tap directly. */
export function SignInDialog({ open, wayIn, appName, onClose }: SignInDialogProps) {
  const { here, typing } = useWayIn(wayIn, open);
  // A reload comes back to the code: nobody is asked for their address meanwhile.
  const [isReturn] = useState(() => signInOperation.kept(Date.now()) !== null);
  const tipId = useId();

  const step = () => {
    if (here === undefined)
      return isReturn && typing.error === null ? <p>Загрузка…</p> : <EmailStep tipId={tipId} {...typing} />;
    const { flow, state, LaterStep } = here;
    if (state.step !== 'email') return <LaterStep flow={flow} state={state} tipId={tipId} />;
    const { email, error, busy } = state;
    return (
      <EmailStep
        email={email}
        error={error}
        busy={busy !== null}
        tipId={tipId}
        onType={flow.setEmail}
        onSubmit={flow.submitEmail}
      />
    );
  };
  return (
    <Dialog
      open={open}
      title={
        <>
          <BrickMark /> {appName}
        </>
      }
      label={`Войти — ${appName}`}
      part={here ? partOf(here.state) : firstPart}
      onClose={onClose}
    >
      {step()}
    </Dialog>
  );
}

type Part = Pick<SignInState, 'step' | 'operation' | 'invite'>;

const partOf = ({ step, operation, invite }: Part): string => `${step} ${operation?.id} ${invite !== null}`;

const firstPart = partOf({ step: 'email', operation: null, invite: null });
