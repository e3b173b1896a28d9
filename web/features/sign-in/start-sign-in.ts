import { ApiError } from '#client/api-error.ts';
import { addresses } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import { emailProblem, normalizeEmail } from '#contract/email.ts';
import { limits } from '#contract/limits.ts';
import type { FormFields } from '#contract/page-data.ts';
import type { Device } from '#contract/sessions.ts';
import { type Act, formProblem, localPath, type OpenContext, type Outcome } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import { toCode } from './mailed-code.tsx';
import { needsCode } from './who-may-come.ts';

/** The message for a browser that does not store the session cookie. */
export const notStored =
  'Войти не получилось: браузер не сохраняет cookie и данные этого сайта. Разрешите их в настройках браузера и запросите новый код.';

/** The name of a device in the list of sessions. Empty rather than an error: signing in does not depend on it. */
async function describeDevice(agent: string): Promise<Device> {
  try {
    const { default: bowser } = await import('bowser');
    const { browser, os } = bowser.parse(agent);
    return {
      userAgent: shortened(browser.name),
      userAgentVersion: shortened(browser.version),
      os: shortened([os.name, os.versionName ?? os.version].filter(Boolean).join(' ')),
    };
  } catch {
    return { userAgent: '', userAgentVersion: '', os: '' };
  }
}

const shortened = (text = ''): string => text.slice(0, limits.deviceFieldLength);

const notAgreed = 'Без согласия зарегистрироваться нельзя. Отметьте его, чтобы продолжить.';
const noAccount = 'Учётной записи с таким адресом нет, а новых здесь сейчас не заводят.';

/** The address of a step of the sign-in. The page that follows the sign-in is that of `query` unless `next` is given. */
export function signInStep(query: URLSearchParams, step: FormFields = {}, next = query.get('next')): string {
  const purpose = query.get('for');
  return addresses.signIn.href({}, { next: localPath(next), ...(purpose !== null && { for: purpose }), ...step });
}

/** The step that offers to register. */
export const offerStep = ({ query, settings }: Pick<OpenContext, 'query' | 'settings'>, next?: string): string =>
  signInStep(query, { offer: needsCode(settings.registration) ? 'invite' : '1' }, next);

interface Start {
  /** The person registers. The code signs in a person who already has an account. */
  isNew: boolean;
  /** The address of the page after the sign-in. */
  next?: string;
}

/** Mails a code and leads to the step that asks for it, or to the offer to register. */
export async function startSignIn(context: OpenContext, fields: FormFields, how: Start): Promise<Outcome> {
  const { call, query, settings, userAgent } = context;
  const { invite, consent } = fields;
  const { next } = how;
  const email = fields['email']?.trim() ?? '';
  const problem = emailProblem(email);
  if (problem !== null) throw formProblem(problem);
  if (!import.meta.env.SSR && !navigator.cookieEnabled) throw formProblem(notStored);
  const entered = { email, ...(invite && { invite }), ...(consent && { consent }) };
  const before = awaited(context, fields, email);
  if (before) return { to: signInStep(query, before, next), handed: { ...entered, ...startedWith(fields) } };

  // A login on a closed wall does not say that the address has no account. So an address with an invitation registers at once.
  const isNew = how.isNew || (settings.isClosed === true && Boolean(invite?.trim()));
  const offer = { to: offerStep(context, next), handed: entered };
  if (isNew && consent === undefined && (query.get('consent') ?? settings.consent) !== undefined) {
    if (how.isNew) throw formProblem(notAgreed, 'consent');
    return offer;
  }
  const start = async (token: { clientToken: string }) => {
    const body = { ...token, email, device: await describeDevice(userAgent) };
    return isNew ? call('POST /registrations', { body: { ...body, ...entered } }) : call('POST /logins', { body });
  };
  try {
    return await toCode(context, signInStep(query, isNew ? { new: '1' } : {}, next), start, entered);
  } catch (error) {
    const found = error instanceof ApiError && (await afterRefusal(error, context, { ...entered, isNew, next, offer }));
    if (found) return found;
    throw error;
  }
}

interface Refused {
  email: string;
  invite?: string;
  consent?: string;
  isNew: boolean;
  next: string | undefined;
  /** Offers to register. */
  offer: Outcome & { to: string };
}

/** The step to which a refusal of the server leads; undefined where the form itself shows the refusal. */
async function afterRefusal(error: ApiError, context: OpenContext, refused: Refused): Promise<Outcome | undefined> {
  const { code } = error;
  const { query, settings } = context;
  const { email, invite, isNew, next, offer } = refused;
  if (isNew && code === 'INVALID_REQUEST') return askForConsent(error, context, refused);
  const isUnknown = code === 'USER_NOT_FOUND' && !isNew;
  const needsInvite = code === 'REGISTRATION_CLOSED' && !invite;
  if (settings.registration === 'closed' && (isUnknown || needsInvite)) throw formProblem(noAccount);
  if (isUnknown) return offer;
  // No message, because the person has made no mistake: the form asks for an invitation.
  return needsInvite ? { to: signInStep(query, { offer: 'invite' }, next), handed: { email } } : undefined;
}

/** Shows the form to register again when the consent has changed since it was shown; otherwise the refusal has another cause. */
async function askForConsent(
  { message }: ApiError,
  { call, query }: OpenContext,
  { email, invite, consent, offer }: Refused,
): Promise<Outcome | undefined> {
  const needed = await neededConsent(call);
  if (needed === undefined || needed === consent) return undefined;
  const to = query.has('offer') ? signInStep(query, { offer: query.get('offer')! }) : offer.to;
  return {
    to: `${to}&consent=${needed}`,
    refused: { fields: { act: 'register', email, ...(invite && { invite }) }, message, field: 'consent' },
  };
}

/** The act of a page whose address contains a code, which serves as the invitation. `next` is the page after the sign-in. */
export const startByLink =
  (next: (params: { code: string }) => string): Act<{ code: string }, OpenContext['user']> =>
  (context, fields) =>
    startSignIn(context, { ...fields, invite: context.params.code }, { isNew: true, next: next(context.params) });

/** The client token of the start of an operation, and its time. */
const startedWith = ({ client = '', at = '' }: FormFields): FormFields => ({ client, at });

/** The step of a code that was just sent to the same address: the server would refuse to send another one so soon. */
function awaited({ now, settings }: OpenContext, fields: FormFields, email: string): FormFields | null {
  const { code = '', sentTo = '', at, new: isNew = '' } = fields;
  const isSame = code !== '' && normalizeEmail(sentTo) === normalizeEmail(email);
  if (!isSame || now() >= Number(at) + settings.codeResendSeconds) return null;
  return { code, ...(isNew && { new: '1' }) };
}

/** The hash of the current text of the consent. */
const neededConsent = (call: CallEndpoint): Promise<string | undefined> =>
  call('GET /documents/{name}', { params: { name: 'consent' } }).then(
    ({ hash }) => hash,
    (error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    },
  );
