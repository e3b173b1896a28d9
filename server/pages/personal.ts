import { hash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import type { Calls } from '#contract/calls.ts';
import { apiPrefix, endpointOf } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { ClientSettings, FormFields, FormOutcome, PersonalRequest, SentForm } from '#contract/page-data.ts';
import { type Database, StorageUnavailable } from '../db/database.ts';
import { logFailure } from '../db/write-outage.ts';
import type { Cookies } from '../features/sessions/cookies.ts';
import { isForeign, refuseBlocked } from '../features/sessions/session-http.ts';
import { cookieHash, issueToken, newCookie } from '../features/sessions/session-rules.ts';
import { findSessionByCookie, renewSession } from '../features/sessions/session-store.ts';
import { clientNetwork } from '../http/connections.ts';
import { toApiError } from '../http/error-responses.ts';
import { routePath } from '../http/serve.ts';
import { ApiError } from '../http/thrown-api-error.ts';
import type { Secrets } from '../secrets.ts';
import type { WebBuild } from './web-build.ts';

/** A signed-in person's access to the API in this process. */
interface Person {
  user: CurrentUser;
  authorization: string;
}

interface PersonOptions {
  db: Database;
  secrets: Secrets;
  cookies: Cookies;
  /** Unix seconds. */
  now: () => number;
}

/** The token is used only for the calls of one request. */
const tokenSeconds = 60;
/** A session in use is renewed this often. Each renewal writes to the database. */
const renewalSeconds = 24 * 3_600;

/** Sends a request to the API in this process for the client of another request, with all checks and limits. */
function inject({ server: app, socket, headers }: FastifyRequest, options: InjectOptions) {
  const { host, cookie, 'user-agent': agent, 'x-forwarded-for': forwarded } = headers;
  const own = { host, cookie, 'user-agent': agent, 'x-forwarded-for': forwarded, 'sec-fetch-site': 'same-origin' };
  const given = Object.entries({ ...own, ...options.headers }).filter(([, value]) => value !== undefined);
  return app.inject({
    ...options,
    remoteAddress: socket.remoteAddress ?? '',
    headers: Object.fromEntries(given),
  });
}

function requestFor(call: keyof Calls): InjectOptions {
  const { method, path } = endpointOf(call);
  return { method, url: apiPrefix + path };
}

/** The person with the session of the cookie; undefined for a visitor. Throws when the account is blocked. */
async function findPerson(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, secrets, cookies, now }: PersonOptions,
): Promise<Person | undefined> {
  const cookie = cookies.read(request, 'session');
  const session = cookie === undefined ? undefined : await findSessionByCookie(db.read, cookieHash(cookie), now());
  if (cookie === undefined || !session) return undefined;
  refuseBlocked(session, now());
  request.server.members.refuseOver(session.user_id);
  if (now() - session.last_active_at >= renewalSeconds) {
    // A full disk must not stop people from reading. If the session has just ended, its cookie is not set again.
    const isRenewed = await db
      .tx((tx) => renewSession(tx, session.id, session.client_token, now()))
      .catch((error: unknown) => {
        logFailure({ log: request.log, db }, { err: error }, 'the use of a session was not recorded');
        return false;
      });
    if (isRenewed) cookies.set(reply, 'session', cookie);
  }
  const authorization = `Bearer ${issueToken(secrets, session.id, now() + tokenSeconds).token}`;
  const found = await inject(request, { ...requestFor('GET /users/current'), headers: { authorization } });
  if (found.statusCode === 200) return { user: found.json<CurrentUser>(), authorization };
  const { code, message } = found.json<ErrorBody>();
  // The session was closed meanwhile.
  if (code === 'UNAUTHORIZED') return undefined;
  const retryAfter = Number(found.headers['retry-after'] ?? 0);
  throw new ApiError(code, retryAfter > 0 ? { message, retryAfter } : { message });
}

/** `fetch` for the calls of the API, without the network. `onCookies` gets the cookies that they set. */
function fetchInProcess(
  request: FastifyRequest,
  person: Person | undefined,
  onCookies: (lines: string[]) => void,
): typeof fetch {
  return async (url, { method, headers, body } = {}) => {
    const response = await inject(request, {
      method: method as 'GET',
      url: url as string,
      headers: { ...(headers as Record<string, string>), ...(person && { authorization: person.authorization }) },
      ...(typeof body === 'string' && { payload: body }),
    });
    onCookies([response.headers['set-cookie'] ?? []].flat());
    const { statusCode: status, payload } = response;
    const retryAfter = response.headers['retry-after'];
    return new Response(status === 204 ? null : payload, {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
  };
}

/**
 * Much larger than any accepted post, so that a form with a longer text is read and shown again with the reason. A text of the wall
 * may be too large: a form has six bytes for each Cyrillic letter, so 43,000 letters fit.
 */
const textFormBytes = 256 * 1_024;
/** Three times as many as the largest form has. */
const fieldsAtMost = 60;
/** A form that is sent again within this time gets the first answer. */
const repeatedWithinMs = 60_000;
const answersAtMost = 1_000;

/**
 * Bytes of large forms, those above 16 kB, that the process holds at a time, from the first byte to the response: of all clients, and
 * of one network. A form is held while its page waits for its turn, so without this bound a few networks would fill the memory.
 */
const largeBytes = { total: 4 * 1_024 * 1_024, ofNetwork: 1_024 * 1_024 };
const tooManyForms =
  'Сейчас стена читает слишком много длинных форм. Вернитесь назад и отправьте ещё раз через несколько секунд.';

/** Refuses a large form before its body is read if too many bytes are held. The length of a chunked body counts as the largest. */
function boundLargeForms(scope: FastifyInstance): void {
  const held = new Map<string, number>();
  let total = 0;
  const add = (network: string, bytes: number) => {
    total += bytes;
    const sum = (held.get(network) ?? 0) + bytes;
    if (sum > 0) held.set(network, sum);
    else held.delete(network);
  };

  scope.addHook('onRequest', ({ headers, ip, routeOptions: { bodyLimit } }, { raw }, done) => {
    const bytes = Math.min(Number(headers['content-length'] ?? textFormBytes), textFormBytes);
    if (bodyLimit === textFormBytes && bytes > limits.bodyBytes) {
      const network = clientNetwork(ip);
      if (total + bytes > largeBytes.total || (held.get(network) ?? 0) + bytes > largeBytes.ofNetwork)
        throw new ApiError('TOO_MANY_REQUESTS', { retryAfter: 5, limit: 'reads', message: tooManyForms });
      add(network, bytes);
      raw.once('close', () => add(network, -bytes));
    }
    done();
  });
}

/** The routes of the scope accept only forms, not JSON. */
function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
}

const bodyOf = ({ body }: FastifyRequest): string => (body as string | undefined) ?? '';

/** The number of fields is checked first, because each field costs as much as a page of text afterwards. */
export function fieldsOf(request: FastifyRequest): FormFields {
  const body = bodyOf(request);
  let fields = 1;
  for (let at = body.indexOf('&'); at >= 0; at = body.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > fieldsAtMost) throw new ApiError('INVALID_REQUEST');
  }
  return Object.fromEntries(new URLSearchParams(body));
}

/** The answer to a form: the address of a redirect, and the headers that set cookies. */
interface Answer {
  to: string;
  set: readonly string[];
  /** The form, if it is too long for a cookie. It is shown in the response instead of a redirect. */
  shown?: SentForm;
  /** Whether the form acts again when it is sent again. */
  mayRepeat: boolean;
}

/**
 * A form that is sent twice acts once: the second request gets the answer of the first. An answer is kept only if the form must
 * not act again. It then holds no plain text of the form: only an address, and cookies in which the form is encrypted.
 */
function answerOnce(): (request: FastifyRequest, run: () => Promise<Answer>) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();

  return (request, run) => {
    const { headers, url } = request;
    const key = hash('sha256', `${headers.cookie}\n${url}\n${bodyOf(request)}`, 'base64url');
    const before = answers.get(key);
    if (before) return before;
    const result = run();
    answers.set(key, result);
    if (answers.size > answersAtMost) answers.delete(answers.keys().next().value!);
    const forget = () => void answers.delete(key);
    result.then(({ mayRepeat }) => (mayRepeat ? forget() : setTimeout(forget, repeatedWithinMs).unref()), forget);
    return result;
  };
}

export interface PersonalOptions {
  db: Database;
  web: WebBuild;
  secrets: Secrets;
  cookies: Cookies;
  publicUrl: string;
  /** Visitors cannot search. */
  searchNeedsSession: boolean;
  settingsNow: () => ClientSettings;
  /** Sends a page that is made for one person. */
  sendOwn(request: FastifyRequest, reply: FastifyReply, asked: PersonalRequest, status?: number): Promise<FastifyReply>;
  /** Unix seconds. */
  now: () => number;
}

interface StoredForm extends SentForm {
  page: string;
  /** The id of the person for whom the form was made; empty for a visitor, who may sign in meanwhile. */
  person: string;
}

/** Maximum length of a cookie, because browsers refuse longer ones. */
const cookieLength = 3_900;
const nonceForm = /^[\w-]{22}$/;
const tokenForm = /^[\w-]{43}$/;
/** The order matters: lynx knows only `no-cache`, and only as the last directive. */
export const notStored = 'no-store, no-cache';

const refused = (request: PersonalRequest, fields: FormFields, message: string): FormOutcome => ({
  to: request.path + (request.query.size > 0 ? `?${request.query}` : ''),
  sent: { page: request.path, fields, message, failed: true },
});

/** The pages made for one person or visitor. Their forms carry out the calls of the API. */
export function personalRoutes(app: FastifyInstance, options: PersonalOptions) {
  const { web, secrets, cookies, settingsNow, now } = options;
  const publicHost = new URL(options.publicUrl).host;
  const once = answerOnce();
  const routesOf = (paths: typeof web.personal.paths) => new Set(paths.map(({ path }) => routePath(path)));
  const personalPages = routesOf(web.personal.paths);
  const visitorPages = routesOf(web.personal.paths.filter((page) => page.forVisitors));

  app.get(addresses.settingsExport.path, (request, reply) => sendExport(request, reply));
  void app.register(async (scope) => {
    readForms(scope);
    // A hook before the body is read.
    scope.addHook('onRequest', (request, _reply, done) => {
      if (isForeign(request, publicHost)) throw new ApiError('FORBIDDEN');
      done();
    });
    boundLargeForms(scope);
    for (const { path, writesText } of web.personal.paths)
      scope.post(routePath(path), writesText ? { bodyLimit: textFormBytes } : {}, (request, reply) =>
        act(request, reply),
      );
  });

  /** Whether the page is made for one person or visitor. If visitors may search, the search page is the same for everyone. */
  const isPersonal = ({ routeOptions: { url = '' } }: FastifyRequest): boolean =>
    personalPages.has(url) && (url !== addresses.search.path || options.searchNeedsSession);

  const isForVisitors = ({ routeOptions: { url = '' } }: FastifyRequest): boolean => visitorPages.has(url);

  const personOf = (request: FastifyRequest, reply: FastifyReply) => findPerson(request, reply, options);

  /**
   * The person, or undefined where the page for everyone is sent: to visitors, to blocked people, whom its scripts tell the reason,
   * and to everybody while the storage is away, because that page may be cached.
   */
  const knownPerson = (request: FastifyRequest, reply: FastifyReply) =>
    personOf(request, reply).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'TOO_MANY_REQUESTS') throw error;
      if (error instanceof ApiError || error instanceof StorageUnavailable) return undefined;
      throw error;
    });

  async function sendExport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const person = await personOf(request, reply);
    if (!person) return reply.redirect(addresses.signIn.href({}, { next: addresses.settings.href() }), 303);
    const { authorization, user } = person;
    const call = { ...requestFor('GET /users/current/export'), headers: { authorization }, payloadAsStream: true };
    const response = await inject(request, call);
    if (response.statusCode !== 200) throw new ApiError('UNAVAILABLE', { retryAfter: 5 });
    return reply
      .header('content-disposition', `attachment; filename="stena-${user.username}.json"`)
      .header('cache-control', notStored)
      .type('application/json; charset=utf-8')
      .send(response.stream());
  }

  async function act(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const fields = fieldsOf(request);
    const { token = '', nonce, person: of = '' } = fields;
    const asked = requestOf(request, reply, undefined, nonce);
    const carrying = () => carryOut(request, reply, asked, fields);
    const isOwn = tokenForm.test(token) && secrets.isSignature(token, 'form', ownerOfForm(request, asked));
    const { to, set, shown } = isOwn
      ? await once(request, carrying)
      : answerWith(reply, refused(asked, fields, 'Форма устарела. Проверьте её и отправьте ещё раз.'), of);
    for (const line of set) void reply.header('set-cookie', line);
    if (shown === undefined) return reply.redirect(to, 303);
    const person = await personOf(request, reply);
    const again = { ...requestOf(request, reply, person, nonce), sent: shown };
    if (!person && !isForVisitors(request))
      return reply.redirect(addresses.signIn.href({}, { next: request.url }), 303);
    return options.sendOwn(request, reply, again, 422);
  }

  async function carryOut(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: PersonalRequest,
    fields: FormFields,
  ): Promise<Answer> {
    let person: Person | undefined;
    try {
      person = await personOf(request, reply);
    } catch (error) {
      const { code, message } = toApiError(error as Error);
      if (code === 'INTERNAL') asked.report(error);
      return answerWith(reply, refused(asked, fields, message), fields['person']);
    }
    const set: string[] = [];
    const calling = fetchInProcess(request, person, (lines) => set.push(...lines));
    const outcome = await web.personal.act({ ...asked, user: person?.user ?? null, fetch: calling }, fields);
    return answerWith(reply, outcome, fields['person'], set);
  }

  /** `of`: the id of the person for whom the form was made. `set`: headers of the cookies that the calls have set. */
  function answerWith(reply: FastifyReply, { to, sent }: FormOutcome, of = '', set: readonly string[] = []): Answer {
    if (sent === undefined) return { to, set, mayRepeat: false };
    const { token: _token, person: _person, nonce, ...values } = sent.fields;
    // A text that is sent again after an error has the same idempotency key.
    const shown = { ...sent, fields: { ...values, ...(sent.failed && nonce !== undefined && { nonce }) } };
    const text = JSON.stringify({ ...shown, person: of } satisfies StoredForm);
    const sealed = text.length > cookieLength ? text : secrets.seal(text);
    if (sealed.length > cookieLength) return { to, set, shown, mayRepeat: true };
    return { to, set: [...set, cookies.line(reply, cookieFor(sent.page), sealed)], mayRepeat: sent.failed };
  }

  function requestOf(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person | undefined,
    sentNonce?: string,
  ): PersonalRequest {
    const [session, known] = [cookies.read(request, 'session'), cookies.read(request, 'client')];
    const client = known ?? newCookie();
    if (known === undefined) cookies.set(reply, 'client', client);
    const { pathname: path, searchParams: query } = new URL(request.url, 'http://wall');
    const sent = request.method === 'POST' ? null : sentTo(path, request, reply, person);
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
      hidden: { token: secrets.sign('form', session ?? client), nonce, ...(person && { person: person.user.id }) },
      sent,
      report: (error) => request.log.error({ reqId: request.id, err: error }, 'request failed'),
      keyFor: (text) => hash('sha256', `${nonce} ${text}`, 'base64url'),
    };
  }

  /** A form belongs to a session; a visitor's form belongs to the browser. */
  const ownerOfForm = (request: FastifyRequest, { clientToken }: PersonalRequest): string =>
    cookies.read(request, 'session') ?? clientToken;

  /** The form that was sent to this page and is shown again. Only the person for whom the form was made gets it. */
  function sentTo(
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person | undefined,
  ): SentForm | null {
    const sealed = cookies.read(request, cookieFor(path));
    if (sealed === undefined) return null;
    try {
      const { page, person: of, ...sent } = JSON.parse(secrets.unseal(sealed)) as StoredForm;
      if (page !== path || (of !== '' && of !== person?.user.id)) return null;
      // Without a message the form holds the entries of an earlier step, which are needed again after a reload.
      if (sent.message !== '') cookies.clear(reply, cookieFor(path));
      return sent;
    } catch {
      return null;
    }
  }

  /** Sends a page made for this person or visitor. Resolves to false if the page is the same for everyone. */
  return async function sendPersonal(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (!isPersonal(request)) return false;
    const person = await (isForVisitors(request) ? personOf : knownPerson)(request, reply);
    if (!person && !isForVisitors(request)) return false;
    await options.sendOwn(request, reply, requestOf(request, reply, person));
    return true;
  };
}

const cookieFor = (page: string) => (page === addresses.signIn.path ? 'sign-in' : 'form');
