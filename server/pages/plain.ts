import { hash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exportAccount } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import type { ClientSettings, FormFields, PlainOutcome, PlainRequest, PlainShown, SentForm } from '#contract/page.ts';
import { type Cookies, newSignInFlag } from '../features/sessions/cookies.ts';
import { isForeign } from '../features/sessions/http.ts';
import { newCookie } from '../features/sessions/rules.ts';
import { type Database, StorageUnavailable } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { compressFor } from '../http/encoding.ts';
import { toApiError } from '../http/errors.ts';
import { routePath } from '../http/serve.ts';
import type { Secrets } from '../secrets.ts';
import { fetchInProcess, findPerson, inject, type Person, requestFor } from './api-in-process.ts';
import type { WebBuild } from './web-build.ts';

export interface PlainOptions {
  db: Database;
  web: WebBuild;
  secrets: Secrets;
  cookies: Cookies;
  publicUrl: string;
  /** Visitors cannot search. */
  searchNeedsSession: boolean;
  settingsNow: () => ClientSettings;
  /** Unix seconds. */
  now: () => number;
}

interface Outcome {
  outcome: PlainOutcome;
  /** The cookies that the calls have set. */
  set: readonly string[];
}

/** How long a form that is sent again has the result of the first time. */
const repeatedWithinMs = 60_000;
const outcomesAtMost = 1_000;
/** Browsers refuse longer cookies. */
const cookieLength = 3_900;
/** Longer than any text that is accepted, so that one that is too long comes back with the reason. */
const formBytes = 256 * 1_024;
const nonceForm = /^[\w-]{22}$/;
const tokenForm = /^[\w-]{43}$/;
const html = 'text/html; charset=utf-8';
/** The order matters: lynx knows only `no-cache`, and only as the last directive. */
export const personal = 'no-store, no-cache';

/** The pages for browsers without scripts. Their forms carry out the calls of the API. */
export function plainRoutes(app: FastifyInstance, options: PlainOptions) {
  const { web, secrets, cookies, settingsNow, now } = options;
  const { plain } = web;
  const publicHost = new URL(options.publicUrl).host;
  const shared = new Set(plain.paths.filter(({ isShared }) => isShared).map(({ path }) => path));
  /** By the hash of what was sent. */
  const outcomes = new Map<string, Promise<Outcome>>();

  for (const { path, isShared, access } of plain.paths) {
    if (!isShared) app.get(routePath(path), (request, reply) => show(request, reply, access));
  }
  app.get(addresses.settingsExport.path, (request, reply) => sendExport(request, reply));
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    for (const { path } of plain.paths)
      scope.post(routePath(path), { bodyLimit: formBytes }, (request, reply) => act(request, reply));
  });

  const personOf = (request: FastifyRequest, reply: FastifyReply) => findPerson(request, reply, options);

  async function show(request: FastifyRequest, reply: FastifyReply, access: 'public' | 'user'): Promise<FastifyReply> {
    const person = await personOf(request, reply);
    const plainRequest = requestOf(request, reply, person);
    if (!person && access === 'user') return reply.redirect(plain.signInFor(plainRequest), 303);
    return send(request, reply, plainRequest);
  }

  async function send(request: FastifyRequest, reply: FastifyReply, plainRequest: PlainRequest): Promise<FastifyReply> {
    const { status, ...page } = await plain.show(plainRequest);
    const body = compressFor(plain.document(page), request.headers['accept-encoding'], reply);
    if (status !== 200) void reply.code(status);
    return reply.type(html).header('cache-control', personal).send(body);
  }

  async function sendExport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const person = await personOf(request, reply);
    if (!person) return reply.redirect(addresses.signIn.href({}, { next: addresses.settings.href() }), 303);
    const { authorization, user } = person;
    const call = { ...requestFor(exportAccount), headers: { authorization }, payloadAsStream: true };
    const response = await inject(request, call);
    if (response.statusCode !== 200) throw new ApiError('UNAVAILABLE', { retryAfter: 5 });
    return reply
      .header('content-disposition', `attachment; filename="stena-${user.username}.json"`)
      .header('cache-control', personal)
      .type('application/json; charset=utf-8')
      .send(response.stream());
  }

  async function act(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isForeign(request, publicHost)) throw new ApiError('FORBIDDEN');
    const fields = (request.body ?? {}) as FormFields;
    const plainRequest = requestOf(request, reply, undefined, fields['nonce']);
    const { outcome, set } = await once(request, () => carryOut(request, reply, plainRequest, fields));
    for (const line of set) void reply.header('set-cookie', line);
    const { to, sent } = outcome;
    if (sent === undefined) return reply.redirect(to, 303);
    const { token: _token, nonce, ...values } = sent.fields;
    // A text that is sent again after an error has the same idempotency key.
    const stored = { ...sent, fields: { ...values, ...(sent.failed && nonce !== undefined && { nonce }) } };
    const sealed = secrets.seal(JSON.stringify(stored));
    if (sealed.length > cookieLength) {
      const shown = requestOf(request, reply, await personOf(request, reply), nonce);
      return send(request, reply.code(422), { ...shown, sent: stored });
    }
    cookies.set(reply, cookieFor(sent.page), sealed);
    return reply.redirect(to, 303);
  }

  async function carryOut(
    request: FastifyRequest,
    reply: FastifyReply,
    plainRequest: PlainRequest,
    fields: FormFields,
  ): Promise<Outcome> {
    const refused = (message: string): Outcome => ({
      outcome: { to: request.url, sent: { page: plainRequest.path, fields, message, failed: true } },
      set: [],
    });
    const { token = '' } = fields;
    const isOwn = tokenForm.test(token) && secrets.isSignature(token, 'form', ownerOfForm(request, plainRequest));
    if (!isOwn) return refused('Форма устарела. Проверьте её и отправьте ещё раз.');
    let person: Person | undefined;
    try {
      person = await personOf(request, reply);
    } catch (error) {
      return refused(toApiError(error as Error).message);
    }
    const set: string[] = [];
    const calling = fetchInProcess(request, person, (lines) => set.push(...lines));
    const outcome = await plain.act({ ...plainRequest, user: person?.user ?? null, fetch: calling }, fields);
    const session = RegExp(`^${cookies.fullName('session')}=[^;]`);
    if (set.some((line) => session.test(line))) set.push(newSignInFlag());
    return { outcome, set };
  }

  /** A form sent twice acts once: the second time has the result of the first. */
  function once({ headers, url, body }: FastifyRequest, run: () => Promise<Outcome>): Promise<Outcome> {
    const key = hash('sha256', JSON.stringify([headers.cookie, url, body]), 'base64url');
    const before = outcomes.get(key);
    if (before) return before;
    const result = run();
    outcomes.set(key, result);
    if (outcomes.size > outcomesAtMost) outcomes.delete(outcomes.keys().next().value!);
    const forget = () => void outcomes.delete(key);
    // A refused form may be tried again.
    result.then(
      ({ outcome }) => (outcome.sent?.failed ? forget() : setTimeout(forget, repeatedWithinMs).unref()),
      forget,
    );
    return result;
  }

  function requestOf(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person | undefined,
    sentNonce?: string,
  ): PlainRequest {
    const [session, known] = [cookies.read(request, 'session'), cookies.read(request, 'client')];
    const client = known ?? newCookie();
    if (known === undefined) cookies.set(reply, 'client', client);
    const { pathname: path, searchParams: query } = new URL(request.url, 'http://plain');
    const sent = request.method === 'POST' ? null : sentTo(path, request, reply);
    const used = sentNonce ?? sent?.fields['nonce'] ?? '';
    const nonce = nonceForm.test(used) ? used : randomBytes(16).toString('base64url');
    return {
      path,
      query,
      user: person?.user ?? null,
      fetch: fetchInProcess(request, person, () => {}),
      clientToken: client,
      userAgent: request.headers['user-agent'] ?? '',
      settings: settingsNow(),
      now: now(),
      hidden: { token: secrets.sign('form', session ?? client), nonce },
      sent,
      keyFor: (text) => hash('sha256', `${nonce} ${text}`, 'base64url'),
    };
  }

  /** A form belongs to the session or, before signing in, to the browser. */
  const ownerOfForm = (request: FastifyRequest, { clientToken }: PlainRequest): string =>
    cookies.read(request, 'session') ?? clientToken;

  /** The form that was sent to this page and is shown again once. */
  function sentTo(path: string, request: FastifyRequest, reply: FastifyReply): SentForm | null {
    const sealed = cookies.read(request, cookieFor(path));
    if (sealed === undefined) return null;
    try {
      const { page, ...sent } = JSON.parse(secrets.unseal(sealed)) as SentForm & { page: string };
      if (page !== path) return null;
      // The entries of an earlier step are needed again after a reload.
      if (sent.message !== '') cookies.clear(reply, cookieFor(path));
      return sent;
    } catch {
      return null;
    }
  }

  return {
    /** Whether scripts show another page at addresses with this path of the contract. */
    isShared: (path: string): boolean => shared.has(path),

    /** The plain page for this person; undefined where a visitor gets the same page as everyone. */
    async pageFor(request: FastifyRequest, reply: FastifyReply, path: string): Promise<PlainShown | undefined> {
      if (path === addresses.search.path && !options.searchNeedsSession) return undefined;
      try {
        const person = await personOf(request, reply);
        if (!person && path !== addresses.newPost.path) return undefined;
        return await plain.show(requestOf(request, reply, person));
      } catch (error) {
        // A blocked person gets the page for visitors, whose scripts say why. While the storage is away, pages come from memory.
        if (error instanceof ApiError || error instanceof StorageUnavailable) return undefined;
        throw error;
      }
    },
  };
}

const cookieFor = (page: string) => (page === addresses.signIn.path ? 'sign-in' : 'form');
