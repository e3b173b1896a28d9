import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallOf } from '#contract/endpoint.ts';
import * as schema from '#contract/sign-in.schema.ts';
import * as signIn from '#contract/sign-in.ts';
import type { Tx } from '../../db/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { clientNetworks } from '../../http/client-network.ts';
import { orNotFound } from '../../http/requests.ts';
import { serve, type ServedCall } from '../../http/serve.ts';
import { spend } from '../../limits/budgets.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { findMailState, queueNotice } from '../../mail/outbox.ts';
import type { WallTexts } from '../wall-texts/files.ts';
import { findBlock } from '../moderation/store.ts';
import { giveAccount } from '../moderation/claims.ts';
import { admit, keptOf, mayRegister, registrationMode, useInvite } from '../moderation/invites.ts';
import type { SessionOptions } from '../sessions/http.ts';
import { type AccessToken, cookieHash, issueToken, newCookie } from '../sessions/rules.ts';
import { lockAccount, openSession } from '../sessions/store.ts';
import { signInBudgets } from './budgets.ts';
import { acceptEmail, makeCodeFlow, refuseForeignDomain } from './http.ts';
import type { RightCode } from './judge-code.ts';
import {
  accountBlocked,
  addressReserved,
  consentChanged,
  consentMissing,
  registrationClosed,
  type SignInPurpose,
} from './rules.ts';
import { findOrCreateUser, findUserIdByEmail, isReservedEmail, recordConsent, rememberDevice } from './store.ts';

type StartBody = CallOf<typeof schema.startRegistration>['body'];
type VerifyCall = Pick<ServedCall<CallOf<typeof schema.verifyLogin>>, 'params' | 'body' | 'request' | 'reply'>;

interface SignInOptions extends SessionOptions {
  wallTexts: WallTexts;
}

export function signInRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { db, wallTexts, config, secrets, cookies, security, now } = options;
  const budgets = signInBudgets(config);
  const flow = makeCodeFlow(options);

  serve(app, signIn.startLogin, schema.startLogin, ({ body, request }) => start('login', body, request));

  serve(app, signIn.verifyLogin, schema.verifyLogin, (call) => verify('login', call));

  serve(app, signIn.startRegistration, schema.startRegistration, ({ body, request }) =>
    start('registration', body, request),
  );

  serve(app, signIn.verifyRegistration, schema.verifyRegistration, (call) => verify('registration', call));

  serve(app, signIn.getMailState, schema.getMailState, async ({ params, query }) => ({
    state: orNotFound(await findMailState(db.read, params.id, query.clientToken)),
  }));

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
      const invite = body.invite === undefined ? null : keptOf(secrets, body.invite, at);
      // Before the address is looked up: without an invitation nobody learns whether it has an account.
      if (purpose === 'registration' && !(await mayRegister(tx, invite)))
        return registrationClosed(await registrationMode(tx.db), invite);
      const owner = await findUserIdByEmail(tx.db, email);
      if (purpose === 'login' && owner === undefined) {
        return (await spend(tx, [budgets.revelations(networks[0]!)], at)) ?? { refused: 'USER_NOT_FOUND' };
      }
      const { clientToken, device, consent = null } = body;
      return { purpose, email, userId: null, owner, clientToken, device, invite, consent };
    });
  }

  /** Before the address is looked up, so that the response is the same for every address. */
  function refuseWithoutConsent(given: string | undefined): void {
    const needed = wallTexts.get('consent')?.hash;
    if (needed === undefined || given === needed) return;
    throw new ApiError('INVALID_REQUEST', { message: given === undefined ? consentMissing : consentChanged });
  }

  async function verify(
    purpose: SignInPurpose,
    { params, body, request, reply }: VerifyCall,
  ): Promise<{ accessToken: AccessToken }> {
    const cookie = { device: cookies.read(request, 'device') ?? newCookie(), session: newCookie() };
    const attempt = { ...body, purpose, id: params.id, userId: null };
    const { sessionId, userId, email } = await flow.verify(request, attempt, async (tx, code, at) => {
      // The account has been deleted or has another address by now: a sign-in must not create a new one.
      if (purpose === 'login' && code.owner === undefined) return { refused: 'OPERATION_EXPIRED' };
      if (code.owner === undefined && (await isReservedEmail(tx.db, code.email, at))) return addressReserved;
      const id = code.owner ?? (await join(tx, code, at));
      if (id === undefined) return registrationClosed(await registrationMode(tx.db), code.invite);
      return signInTo(tx, id, { code, cookie, clientToken: body.clientToken, at });
    });
    security.note('sign-in', request, { user: userId, email });
    cookies.set(reply, 'session', cookie.session);
    cookies.set(reply, 'device', cookie.device);
    return { accessToken: issueToken(secrets, sessionId, now() + config.accessTokenSeconds) };
  }

  interface SignIn {
    code: RightCode;
    cookie: { device: string; session: string };
    clientToken: string;
    at: number;
  }

  async function signInTo(
    tx: Tx,
    userId: number,
    { code, cookie, clientToken, at }: SignIn,
  ): Promise<{ sessionId: number; userId: number; email: string } | Refusal> {
    const { owner, isKnown, email, device } = code;
    // Before the lock was free, the account may have been deleted or its address changed.
    if ((await lockAccount(tx, userId)) !== email) return { refused: 'OPERATION_EXPIRED' };
    const block = await findBlock(tx.db, userId, at);
    if (block) return accountBlocked(block);
    const isNewDevice = owner !== undefined && !isKnown;
    if (isNewDevice) {
      const notice = { kind: 'new-device', device: JSON.parse(device), at } as const;
      await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(notice)), now: at });
    }
    await rememberDevice(tx, userId, cookieHash(cookie.device), at);
    const session = { userId, cookieHash: cookieHash(cookie.session), clientToken, device, isNewDevice, now: at };
    return { sessionId: await openSession(tx, session), userId, email };
  }
}

/** The account of an address that had none when its code was sent; undefined while registration is closed. */
async function join(tx: Tx, { email, invite, consent }: RightCode, now: number): Promise<number | undefined> {
  const admission = await admit(tx, invite);
  // The same person may have registered on another device a moment ago.
  if (!admission) return findUserIdByEmail(tx.db, email);
  const { userId, isNew } =
    admission === 'open' || 'invite' in admission
      ? await findOrCreateUser(tx, email, now)
      : { userId: admission.claimed, isNew: true };
  if (admission !== 'open' && 'claimed' in admission) await giveAccount(tx, userId, email);
  else if (isNew && admission !== 'open') await useInvite(tx, admission.invite, userId, now);
  if (isNew && consent !== null) await recordConsent(tx, { userId, textHash: consent, now });
  return userId;
}
