import { useEffect, useEffectEvent, useId, useLayoutEffect, useReducer, useState } from 'react';
import { type Observable, useObservable } from '../../lib/observable.ts';
import { useOnDemand } from '../../lib/on-demand.ts';
import { BrickMark } from '../../ui/brick-mark.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { CodeFlowState } from './code-flow.ts';
import { EmailStep } from './email-step.tsx';
import { storedSignIn } from './operation.ts';
import type { LazySignIn } from './use-sign-in.ts';

interface SignInDialogProps {
  open: boolean;
  signIn: LazySignIn;
  appName: string;
  onClose: () => void;
}

/** The first step does not wait for the flow's code: phones only show their keyboard directly after a tap. */
export function SignInDialog({ open, signIn, appName, onClose }: SignInDialogProps) {
  const { loaded, typing } = useLoadedFlow(signIn, open);
  // After a reload the dialog returns to the code and does not ask for the address meanwhile.
  const [isReturn] = useState(() => storedSignIn.read(Date.now()) !== null);
  const tipId = useId();

  const step = () => {
    if (loaded === undefined && isReturn && typing.error === null) return <p>Загрузка…</p>;
    if (loaded && loaded.state.step !== 'start') return <loaded.LaterStep {...loaded} tipId={tipId} />;
    return <EmailStep tipId={tipId} {...(loaded ? loaded.emailStep(loaded) : typing)} />;
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
      part={loaded?.partOf(loaded.state)}
      onClose={onClose}
    >
      {step()}
    </Dialog>
  );
}

const notLoaded: Observable<undefined> = { get: () => undefined, initial: undefined, subscribe: () => () => {} };

/** The flow once it is loaded, and the first step's props until then. What was typed or sent before is passed on. */
function useLoadedFlow(signIn: LazySignIn, open: boolean) {
  const { thing, failure, retry } = useOnDemand(signIn, open);
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState(false);
  const [, rerender] = useReducer((turn: number) => turn + 1, 0);
  const flow = thing?.flow;
  const state = useObservable<CodeFlowState | undefined>(flow?.state ?? notLoaded);

  const passOn = useEffectEvent(() => {
    if (email !== '') flow?.setEmail(email);
    if (sent) void flow?.submit();
  });
  useLayoutEffect(() => {
    passOn();
    // Renders again before the next letter, which would otherwise replace what was passed on.
    rerender();
  }, [flow]);

  useEffect(() => {
    if (!open) return;
    flow?.reopen();
    // The library that names this device is loaded while the address is typed. Without it the name is empty.
    import('bowser').catch(() => {});
  }, [open, flow]);

  const typing = {
    email,
    error: failure,
    busy: sent && failure === null,
    onType: setEmail,
    async onSubmit() {
      setSent(true);
      retry();
    },
  };
  return { loaded: thing && state && { ...thing, state }, typing };
}
