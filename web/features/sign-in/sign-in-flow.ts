import { renewToken } from '#contract/sessions.ts';
import { startLogin, startRegistration, verifyLogin, verifyRegistration } from '#contract/sign-in.ts';
import { ApiError, explainError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { clientToken } from '../session/client-token.ts';
import { readSignInFlag, setSignInFlag } from '../session/sign-in-flag.ts';
import { type CodeFlow, type CodeFlowState, createCodeFlow } from './code-flow.ts';
import { describeDevice } from './describe-device.ts';
import { signInKey } from './operation.ts';

const calls = {
  login: { start: startLogin, verify: verifyLogin },
  registration: { start: startRegistration, verify: verifyRegistration },
};

const notStored =
  'Войти не получилось: браузер не сохраняет cookie и данные этого сайта. Разрешите их в настройках браузера и запросите новый код.';

export interface SignInOptions {
  /** The server's pause between two codes. */
  pauseSeconds: number;
  onSignedIn: () => void;
}

export function createSignInFlow({ pauseSeconds, onSignedIn }: SignInOptions): CodeFlow {
  return createCodeFlow({
    key: signInKey,
    purpose: 'login',
    pauseSeconds,
    // A browser that blocks cookies for some sites only may not say so; `isSessionStored` finds out.
    findObstacle: () => (navigator.cookieEnabled ? null : notStored),
    async start({ purpose = 'login', invite, ...body }) {
      const invitation = purpose === 'registration' && invite ? { invite } : {};
      return call(calls[purpose].start, { body: { ...body, device: await describeDevice(), ...invitation } });
    },
    verify: ({ id, purpose = 'login' }, body) => call(calls[purpose].verify, { params: { id }, body }),
    async onVerified() {
      if (!(await isSessionStored())) return notStored;
      onSignedIn();
      return null;
    },
    onError,
  });
}

function onError(error: ApiError, { busy, email, invite, operation }: CodeFlowState): Partial<CodeFlowState> | null {
  if (error.code === 'USER_NOT_FOUND' && busy === 'start') return { step: 'offer' };
  if (error.code === 'ACCOUNT_BLOCKED' && busy === 'verify') {
    return { step: 'blocked', operation: null, error: explainError(error) };
  }
  if (error.code !== 'REGISTRATION_CLOSED') return null;
  return {
    step: 'offer',
    email: operation?.email ?? email,
    operation: null,
    invite: invite ?? '',
    // Without an invitation the person has made no mistake: the form asks for one.
    error: invite ? error.message : null,
  };
}

/**
 * Sets the sign-in flag and finds out whether the new session survives a reload: the browser reports no error when it
 * drops the cookie or refuses to store the flag.
 */
async function isSessionStored(): Promise<boolean> {
  try {
    await call(renewToken, { body: { clientToken: await clientToken() } });
  } catch (error) {
    // After any other failure the page tries again when it is loaded.
    if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return false;
  }
  setSignInFlag();
  return readSignInFlag() !== null;
}
