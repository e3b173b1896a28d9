import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Value } from 'typebox/value';
import * as values from '#contract/examples/values.ts';
import type { Invitations } from '#contract/invitations.ts';
import { statusOf } from '#contract/endpoint.ts';
import { keepersAreas, table } from '#contract/table.ts';
import { freePort } from '../../../test/kit/free-port.ts';
import { seedOf } from '../../../test/kit/seed.ts';
import { newUser, now, signedIn, type SignedIn } from '../../../test/kit/signed-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { writingBudgets } from '../../limits/writing-budgets.ts';
import { setRegistrationMode } from '../../features/moderation/invites.ts';
import type { RegistrationMode } from '../../features/wall-texts/wall-settings.ts';
import { alsoSpends, budgetOf } from './call-limits.ts';

const run = promisify(execFile);
const { clientToken, boris } = values;

/** A new person who makes one call. */
interface Caller extends SignedIn {
  id: number;
  email: string;
  api(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<{ id: string }>;
}

type Prepare = (caller: Caller) => Promise<Record<string, string>>;

const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('the page about the API', () => {
  let wall: Wall;
  let page: string;
  let author: number;
  let publicUrl: string;
  let callers = 0;

  before(async () => {
    const port = await freePort();
    publicUrl = `http://localhost:${port}`;
    wall = await openWall('sqlite', { PUBLIC_URL: publicUrl });
    wall.clock.now = now();
    await wall.app.listen({ host: 'localhost', port });
    page = (await wall.get('/api')).text.replace(/<script id="page-data".*/s, '');
    author = await wall.person(boris.username);
    await wall.person(values.galina.username);
  });
  after(() => wall.close());

  /** The section of a call. */
  const sectionOf = (name: string): string | undefined =>
    page.split(/(?=<h[23] id=")/).find((part) => part.startsWith(`<h3 id="${name}">`));

  async function newCaller(): Promise<Caller> {
    const username = `caller_${(callers += 1)}`;
    const id = await newUser(wall.db, username);
    const session = await signedIn(wall.db, id, { clientToken });
    const headers = { authorization: `Bearer ${session.token}` };
    return {
      ...session,
      id,
      email: `${username}@example.org`,
      async api(method, path, body) {
        const sent = { method, url: `/api/v1${path}`, headers, ...(body && { payload: body }) };
        const response = await wall.app.inject(sent);
        assert.ok(response.statusCode < 300, response.body);
        return response.statusCode === 204 ? { id: '' } : response.json();
      },
    };
  }

  const device = { userAgent: 'curl', userAgentVersion: '8.5', os: 'Linux' };
  /** Starts an operation, whose code goes to an address. */
  const started =
    (method: 'POST' | 'PUT', path: string, addressOf: (caller: Caller) => string, body: object = {}): Prepare =>
    async (caller) => {
      const email = addressOf(caller);
      const signsIn = path === '/logins' || path === '/registrations';
      const named = signsIn ? { email, device } : method === 'PUT' ? { email } : {};
      const { id } = await caller.api(method, path, { clientToken, ...named, ...body });
      return { [values.operationId]: id, [values.confirmCode]: await wall.mail.codeTo(email) };
    };
  const own = ({ email }: Caller): string => email;
  const fresh = ({ id }: Caller): string => `fresh${id}@example.org`;

  const imported: Prepare = async ({ id }) => {
    const { code } = await seedOf(wall.db).imported(`imported_${id}`);
    return { [values.claimCode]: code };
  };

  /** Members may invite, and the caller has been here for long enough. */
  const inviting: Prepare = async ({ id }) => {
    await letIn('members');
    const old = { created_at: 0, posts_count: 5 };
    await wall.db.tx(({ db }) => db.updateTable('users').set(old).where('id', '=', id).execute());
    return {};
  };
  const letIn = (mode: RegistrationMode) => wall.db.tx((tx) => setRegistrationMode(tx, mode));

  /** The preparation of a call, and the values that replace those of the example. */
  const earlier: Record<string, Prepare> = {
    verifyLogin: started('POST', '/logins', own),
    getMailState: started('POST', '/logins', own),
    verifyRegistration: started('POST', '/registrations', fresh),
    startRegistration: async (caller) => ({ [values.email]: fresh(caller) }),
    verifyEmailChange: started('PUT', '/users/current/email', fresh),
    verifyDeviceConfirmation: started('POST', '/sessions/current/confirmation', own),
    verifyDeletion: started('POST', '/users/current/deletion', own),
    async closeSession({ id }) {
      return { [values.sessionId]: String((await signedIn(wall.db, id)).sessionId) };
    },
    verifyApiToken: started('POST', '/users/current/tokens', own),
    async endApiToken(caller) {
      const { [values.operationId]: id, [values.confirmCode]: confirmCode } = await started(
        'POST',
        '/users/current/tokens',
        own,
      )(caller);
      const made = await caller.api('POST', `/users/current/tokens/${id}/verify`, {
        clientToken,
        confirmCode,
        name: 'бот',
        scope: 'read',
      });
      return { [values.tokenId]: made.id };
    },
    getClaim: imported,
    async getSharedPost(caller) {
      const { id } = await caller.api('POST', '/posts', { text: 'Для всех.' });
      await caller.api('PUT', `/posts/${id}/shared`);
      return { [values.ownPostId]: id };
    },
    async claimAccount(caller) {
      const written = wall.db.read.selectFrom('posts').select('id').where('user_id', '=', caller.id);
      for (const { id } of await written.execute()) await wall.remove(id);
      return imported(caller);
    },
    async readNotifications({ id }) {
      const answered = await wall.post(id, 'Кто знает?');
      return { [values.replyId]: String(await wall.reply(author, answered, 'Я знаю.')) };
    },
    makeInvitation: inviting,
    async endInvitation(caller) {
      await inviting(caller);
      const made = await caller.api('POST', '/users/current/invitations');
      const { invitations } = made as unknown as Invitations;
      return { [values.invitationId]: invitations[0]!.id };
    },
    async restorePost(caller) {
      const { id } = await caller.api('POST', '/posts', { text: 'Удалю.' });
      await caller.api('DELETE', `/posts/${id}`);
      return { [values.ownPostId]: id };
    },
  };

  async function prepare(name: string, caller: Caller): Promise<Record<string, string>> {
    await letIn('open');
    return {
      [boris.id]: String(author),
      [values.ownPostId]: String(await wall.post(caller.id, 'Своя запись.')),
      [values.otherPostId]: String(await wall.post(author, 'Чужая запись.')),
      [values.newEmail]: fresh(caller),
      [values.email]: caller.email,
      [values.newUsername]: `petrova_${caller.id}`,
      ...(await earlier[name]?.(caller)),
    };
  }

  test('lists every call but those of keepers, and is open to search engines', async () => {
    const response = await wall.get('/api');
    assert.equal(response.status, 200);
    assert.doesNotMatch(response.text, /name="robots"|\/moderation\//);
    assert.doesNotMatch((await wall.get('/robots.txt')).text, /^Disallow: \/api$/m);
    assert.match((await wall.get('/sitemap-0.xml')).text, /\/api<\/loc>/);
    assert.ok(response.headers['etag']);
    const { etag } = response.headers as { etag: string };
    assert.equal((await wall.get('/api', { 'if-none-match': etag })).status, 304);
    for (const { name, area } of table) {
      assert.equal(sectionOf(name) !== undefined, !keepersAreas.has(area), name);
    }
  });

  test('has a heading for every anchor, once', () => {
    const ids = [...page.matchAll(/<h[23] id="([^"]+)"/g)].map(([, id]) => id!);
    assert.equal(new Set(ids).size, ids.length);
    const targets = [...page.matchAll(/<a href="#([^"]+)"/g)].map(([, target]) => target!);
    const missing = targets.filter((target) => target !== 'main' && !ids.includes(target));
    assert.deepEqual(missing, []);
    assert.ok(targets.length > 150, 'the links have been found');
  });

  for (const { name, endpoint, schemas } of table.filter(({ area }) => !keepersAreas.has(area))) {
    test(`the command of ${name} works as it is written`, async () => {
      const section = sectionOf(name)!;
      const command = unescaped(/<pre><code>(curl .*?)<\/code><\/pre>/s.exec(section)![1]!);
      const caller = await newCaller();
      const replaced = Object.entries(await prepare(name, caller)).reduce(
        (text, [from, to]) => text.replaceAll(RegExp(`(?<![\\w.@-])${from}(?![\\w@-])`, 'g'), to),
        command,
      );
      await wall.db.tx(({ db }) => db.deleteFrom('budgets').execute());
      const env = { ...process.env, TOKEN: caller.token, SESSION: caller.cookie };
      const { stdout } = await run('sh', ['-c', String.raw`${replaced} -sS -w '\n%{http_code}'`], { env });
      const at = stdout.lastIndexOf('\n');
      assert.equal(stdout.slice(at + 1), String(statusOf(endpoint, schemas)), `${replaced}\n${stdout}`);
      if (schemas.reply) assert.deepEqual(Value.Errors(schemas.reply, JSON.parse(stdout.slice(0, at))), []);

      const budgets = [budgetOf[name], alsoSpends[name]?.budget].filter((budget) => budget !== undefined);
      const spent = await wall.db.read.selectFrom('budgets').select('key').execute();
      const named = budgets.map((budget) => writingBudgets({ rateLimits: true })[budget](caller.id).key);
      assert.deepEqual(
        new Set(spent.map(({ key }) => key).filter((key) => /^[a-z-]+ \d+$/.test(key))),
        new Set(named),
        'the limits that the page names',
      );
      if (budgets.length > 0) assert.match(section, /Не чаще \d+/);
    });
  }

  test('what the reader copies has no special spaces', () => {
    const code = [...page.matchAll(/<pre>.*?<\/pre>/gs)].map(([text]) => text).join('');
    assert.ok(code.length > 10_000);
    assert.doesNotMatch(code, /\u00a0/);
    assert.match(page, /\u00a0/);
  });
});
