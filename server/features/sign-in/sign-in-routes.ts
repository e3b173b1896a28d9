import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Calls } from '#contract/calls.ts';
import type { Tx } from '../../db/database.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { clientNetworks } from '../../http/connections.ts';
import { orNotFound, serve, type ServedCall } from '../../http/serve.ts';
import { spend } from '../../limits/budgets.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { codesWait, readMail } from '../../mail/mail-state.ts';
import { findMailState, queueNotice } from '../../mail/outbox.ts';
import type { WallTexts } from '../wall-texts/operator-texts.ts';
import type { WallSettings } from '../wall-texts/wall-settings.ts';
import { whomToAsk } from '../moderation/roles.ts';
import { findBlock } from '../moderation/moderation-store.ts';
import { giveAccount } from '../moderation/claims.ts';
import {
  admit,
  becomeOwnerByLink,
  toStoredInvite,
  mayRegister,
  registrationMode,
  useInvite,
} from '../moderation/invites.ts';
import type { SessionOptions } from '../sessions/session-http.ts';
import { type AccessToken, cookieHash, issueToken, newCookie } from '../sessions/session-rules.ts';
import { closeReplacedSession, lockAccount, openSession } from '../sessions/session-store.ts';
import { isCodeForOwners } from './waiting-codes.ts';
import { signInBudgets } from './sign-in-budgets.ts';
import { acceptEmail, makeCodeFlow, refuseForeignDomain } from './sign-in-http.ts';
import type { RightCode } from './judge-code.ts';
import {
  accountBlocked,
  addressReserved,
  consentChanged,
  consentMissing,
  registrationClosed,
  type SignInPurpose,
} from './sign-in-rules.ts';
import {
  findOrCreateUser,
  findUserIdByEmail,
  isReservedEmail,
  recordConsent,
  rememberDevice,
} from './sign-in-store.ts';

type StartBody = Calls['POST /registrations']['body'];
type VerifyCall = Pick<ServedCall<Calls['POST /logins/{id}/verify']>, 'params' | 'body' | 'request' | 'reply'>;

interface SignInOptions extends SessionOptions {
  wall: Pick<WallSettings, 'readers'>;
  wallTexts: WallTexts;
}

export function signInRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { db, wall, wallTexts, config, secrets, cookies, security, now } = options;
  const budgets = signInBudgets(config);
  const flow = makeCodeFlow(options);

  serve(app, 'POST /logins', ({ body, request }) => start('login', body, request));

  serve(app, 'POST /logins/{id}/verify', (call) => verify('login', call));

  serve(app, 'POST /registrations', ({ body, request }) => start('registration', body, request));

  serve(app, 'POST /registrations/{id}/verify', (call) => verify('registration', call));

  serve(app, 'GET /mail/{id}', async ({ params, query }) => {
    const { state, purpose } = orNotFound(await findMailState(db.read, params.id, query.clientToken));
    const isHidden = purpose === 'login' && isClosed();
    const waits = (isHidden || state === 'sending') && (await codesWait(db, config, now()));
    // The hidden state is the same for every address: `delayed` while the mail server takes no letters, otherwise `accepted`.
    const isDelayed = waits || (isHidden && (await readMail(db, config, now())).state === 'refused');
    const ask = purpose === 'registration' ? await whomToAsk(db.read, config) : {};
    return { state: isDelayed ? 'delayed' : isHidden ? 'accepted' : state, ...ask };
  });

  /** On a closed wall a login must not reveal whether an address has an account: the responses are the same, only the mail is not sent. */
  const isClosed = (): boolean => wall.readers === 'members';

  async function start(purpose: SignInPurpose, body: StartBody, request: FastifyRequest): Promise<{ id: string }> {
    const email = acceptEmail(body.email);
    if (purpose === 'registration') {
      refuseForeignDomain(email, config.emailDomains);
      refuseWithoutConsent(body.consent);
    }
    const networks = clientNetworks(request.ip);
    return flow.start(request, async (tx, at) => {
      const exhausted = await spend(tx, budgets.starts(networks), at);
      if (exhausted) return exhausted;
      const invite = body.invite === undefined ? null : toStoredInvite(secrets, body.invite, at);
      // This comes before the address is looked up, so that nobody learns without an invitation whether it has an account.
      if (purpose === 'registration' && !(await mayRegister(tx, invite)))
        return registrationClosed(await registrationMode(tx.db), invite);
      const owner = await findUserIdByEmail(tx.db, email);
      const toNobody = purpose === 'login' && owner === undefined;
      if (toNobody && !isClosed()) {
        return (await spend(tx, [budgets.revelations(networks[0]!)], at)) ?? { refused: 'USER_NOT_FOUND' };
      }
      const { clientToken, device, consent = null } = body;
      const isForOwners = purpose === 'registration' && owner === undefined && config.smtpUrl === undefined;
      return { purpose, email, toNobody, isForOwners, userId: null, owner, clientToken, device, invite, consent };
    });
  }

  /** Called before the address is looked up, so that the response is the same for every address. */
  function refuseWithoutConsent(given: string | undefined): void {
    const needed = wallTexts.get('consent')?.hash;
    if (needed === undefined || given === needed) return;
    throw new ApiError('INVALID_REQUEST', { message: given === undefined ? consentMissing : consentChanged });
  }

  async function verify(
    purpose: SignInPurpose,
    { params, body, request, reply }: VerifyCall,
  ): Promise<{ accessToken: AccessToken }> {
    const cookie = {
      device: cookies.read(request, 'device') ?? newCookie(),
      session: newCookie(),
      replaced: cookies.read(request, 'session'),
    };
    const attempt = { ...body, purpose, id: params.id, userId: null };
    const { sessionId, userId, email, isNewOwner } = await flow.verify(request, attempt, async (tx, code, at) => {
      // An owner may have read the code. It never opens an account that the address has got since.
      if (code.owner !== undefined && (await isCodeForOwners(tx.db, params.id)))
        return { refused: 'OPERATION_EXPIRED' };
      // The account has been deleted or has another address by now: a sign-in must not create a new one.
      if (purpose === 'login' && code.owner === undefined) return { refused: 'OPERATION_EXPIRED' };
      if (code.owner === undefined && (await isReservedEmail(tx.db, code.email, at))) return addressReserved;
      const id = code.owner ?? (await join(tx, code, at));
      if (id === undefined) return registrationClosed(await registrationMode(tx.db), code.invite);
      return signInTo(tx, id, { code, cookie, clientToken: body.clientToken, at });
    });
    security.note('sign-in', request, { user: userId, email });
    if (isNewOwner) security.note('became-owner', request, { user: userId });
    cookies.set(reply, 'session', cookie.session);
    cookies.set(reply, 'device', cookie.device);
    return { accessToken: issueToken(secrets, sessionId, now() + config.accessTokenSeconds) };
  }

  interface SignIn {
    code: RightCode;
    cookie: { device: string; session: string; replaced: string | undefined };
    clientToken: string;
    at: number;
  }

  async function signInTo(
    tx: Tx,
    userId: number,
    { code, cookie, clientToken, at }: SignIn,
  ): Promise<{ sessionId: number; userId: number; email: string; isNewOwner: boolean } | Refusal> {
    const { owner, isKnown, email, device } = code;
    // While this waited for the lock, the account may have been deleted or its address changed.
    if ((await lockAccount(tx, userId)) !== email) return { refused: 'OPERATION_EXPIRED' };
    const block = await findBlock(tx.db, userId, at);
    if (block) return accountBlocked(block);
    if (owner !== undefined && !isKnown) {
      const notice = { kind: 'new-device', device: JSON.parse(device), at } as const;
      await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(notice)), now: at });
    }
    if (cookie.replaced !== undefined) await closeReplacedSession(tx, cookieHash(cookie.replaced));
    await rememberDevice(tx, userId, cookieHash(cookie.device), at);
    const session = { userId, cookieHash: cookieHash(cookie.session), clientToken, device, now: at };
    const sessionId = await openSession(tx, session);
    return { sessionId, userId, email, isNewOwner: await becomeOwnerByLink(tx, code.invite, userId, at) };
  }
}

/** Finds or creates the account of an address that had none when its code was judged; undefined if the registration is refused. */
async function join(tx: Tx, { email, invite, consent }: RightCode, now: number): Promise<number | undefined> {
  const admission = await admit(tx, invite);
  // The same person may have registered on another device a moment ago.
  if (!admission) return findUserIdByEmail(tx.db, email);
  const { userId, isNew } =
    admission === 'open' || 'invite' in admission
      ? await findOrCreateUser(tx, email, now)
      : { userId: admission.claimed, isNew: true };
  if (admission !== 'open' && 'claimed' in admission) await giveAccount(tx, userId, { email, at: now });
  else if (isNew && admission !== 'open') await useInvite(tx, admission.invite, userId, now);
  if (isNew && consent !== null) await recordConsent(tx, { userId, textHash: consent, now });
  return userId;
}
