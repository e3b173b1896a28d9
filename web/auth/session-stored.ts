import { renewToken } from '#contract/sessions.ts';
import { ApiError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import { clientToken } from './client-token.ts';
import { leaveSignInMark, signInMark } from './sign-in-mark.ts';

export const notStored =
  'Войти не получилось: браузер не сохраняет cookie и данные этого сайта. Разрешите их в настройках браузера и запросите новый код.';

/** The browser itself says so; one that blocks them for some sites only may say nothing. */
export const cookiesOff = (): boolean => !navigator.cookieEnabled;

/**
 * Whether the session that was just opened outlives a reload. Nobody else tells: the browser drops a cookie, or refuses to
 * store the mark that there is one, without an error. The mark is left here.
 */
export async function isSessionStored(): Promise<boolean> {
  try {
    await call(renewToken, { body: { clientToken: await clientToken() } });
  } catch (error) {
    // After any other failure the reload tries again.
    if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return false;
  }
  leaveSignInMark();
  return signInMark() !== null;
}
