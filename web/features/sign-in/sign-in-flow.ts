import { getWallText } from '#contract/wall-texts.ts';
import type { ClientSettings } from '#contract/page.ts';
import { renewToken } from '#contract/sessions.ts';
import { startLogin, startRegistration, verifyLogin, verifyRegistration } from '#contract/sign-in.ts';
import { ApiError } from '#client/api-error.ts';
import { explainError, isNotFound } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { clientToken } from '../session/client-token.ts';
import { readSignInFlag, setSignInFlag } from '../session/sign-in-flag.ts';
import { type CodeFlow, type CodeFlowState, createCodeFlow } from './code-flow.ts';
import { describeDevice } from './describe-device.ts';
import { signInKey } from './operation.ts';
import { needsCode } from './who-may-come.ts';

const verifications = { login: verifyLogin, registration: verifyRegistration };

const noAccount = 'Учётной записи с таким адресом нет, а новых здесь сейчас не заводят.';

const notStored =
  'Войти не получилось: браузер не сохраняет cookie и данные этого сайта. Разрешите их в настройках браузера и запросите новый код.';

export interface SignInOptions {
  settings: Pick<ClientSettings, 'codeResendSeconds' | 'consent' | 'registration'>;
  onSignedIn: () => void;
}

/** The consent that was agreed to is not, or no longer, the one that a registration needs. */
class ConsentChanged extends ApiError {
  /** The hash of the one that it needs now. */
  readonly consent: string | null;

  constructor({ code, message, status }: ApiError, consent: string | null) {
    super(code, message, status);
    this.consent = consent;
  }
}

export function createSignInFlow({ settings, onSignedIn }: SignInOptions): CodeFlow {
  return createCodeFlow({
    key: signInKey,
    purpose: 'login',
    pauseSeconds: settings.codeResendSeconds,
    consent: settings.consent,
    byInvitation: needsCode(settings.registration),
    // A browser that blocks cookies for some sites only may not say so; `isSessionStored` finds out.
    findObstacle: () => (navigator.cookieEnabled ? null : notStored),
    async start({ purpose = 'login', invite, consent, ...entered }) {
      const body = { ...entered, device: await describeDevice() };
      if (purpose === 'login') return call(startLogin, { body });
      const agreed = { ...(invite && { invite }), ...(consent !== undefined && { consent }) };
      try {
        return await call(startRegistration, { body: { ...body, ...agreed } });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'INVALID_REQUEST') throw error;
        const needed = await neededConsent();
        throw needed === (consent ?? null) ? error : new ConsentChanged(error, needed);
      }
    },
    verify: ({ id, purpose = 'login' }, body) => call(verifications[purpose], { params: { id }, body }),
    async onVerified() {
      if (!(await isSessionStored())) return notStored;
      onSignedIn();
      return null;
    },
    onError: (error, state) => onError(error, state, settings.registration === 'closed'),
  });
}

function onError(
  error: ApiError,
  { busy, email, invite, operation }: CodeFlowState,
  isClosed: boolean,
): Partial<CodeFlowState> | null {
  if (isClosed && (error.code === 'REGISTRATION_CLOSED' || error.code === 'USER_NOT_FOUND')) {
    return { step: 'start', operation: null, error: noAccount };
  }
  if (error.code === 'USER_NOT_FOUND' && busy === 'start') return { step: 'offer' };
  if (error.code === 'ACCOUNT_BLOCKED' && busy === 'verify') {
    return { step: 'blocked', operation: null, error: explainError(error) };
  }
  if (error instanceof ConsentChanged) {
    const { consent, message } = error;
    return { step: 'offer', operation: null, consent, agreed: false, consentError: consent && message };
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

/** The hash of the consent as it is now, null if none is needed. */
async function neededConsent(): Promise<string | null> {
  try {
    return (await call(getWallText, { params: { name: 'consent' } })).hash;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
