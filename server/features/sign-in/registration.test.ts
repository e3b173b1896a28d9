import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, outcome, register, startEmailChange } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { type Browser, device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { forgetConsents } from '../../ops/jobs/clear-deleted.ts';

const start = ({ send, clientToken }: Browser, email: string, more: object = {}) =>
  send('POST', '/registrations', { email, clientToken, device, ...more });

const storedConsents = ({ db }: Wall) => db.read.selectFrom('consents').selectAll().execute();

for (const engine of engines) {
  describe(`the consent to the processing of personal data on ${engine}`, () => {
    let folder: string;
    beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'pages-'))));
    afterEach(() => rm(folder, { recursive: true }));

    const writeConsent = (text: string): Promise<void> => writeFile(join(folder, 'consent.md'), text);
    const hashOf = async (wall: Wall): Promise<string> => (await wall.get('/api/v1/documents/consent')).json.hash;

    async function registerWith(wall: Wall, browser: Browser, email: string, consent: string): Promise<number> {
      const started = await start(browser, email, { consent });
      assert.equal(started.statusCode, 201, started.body);
      const code = await wall.mail.codeTo(email);
      assert.equal((await browser.verify('registrations', started.json().id, code)).statusCode, 200);
      return Number((await browser.send('GET', '/users/current')).json().id);
    }

    test('is required in its present version and recorded with the new account', async () => {
      await writeConsent('# Согласие');
      await using wall = await openWall(engine, { PAGES_DIR: folder });
      const [browser, email] = [openBrowser(wall), newAddress()];
      for (const [consent, message] of [
        [undefined, /^Чтобы зарегистрироваться, дайте согласие/],
        ['0'.repeat(64), /^Текст согласия .+ изменился/],
      ] as const) {
        const refused = await start(browser, email, consent === undefined ? {} : { consent });
        assert.deepEqual([refused.statusCode, refused.json().code], [400, 'INVALID_REQUEST']);
        assert.match(refused.json().message, message);
      }
      assert.deepEqual(await wall.db.read.selectFrom('operations').select('id').execute(), []);
      const consent = await hashOf(wall);
      const id = await registerWith(wall, browser, email, consent);
      const at = wall.clock.now;
      assert.deepEqual(await storedConsents(wall), [{ user_id: id, document_hash: consent, at }]);
      const exported = (await browser.send('GET', '/users/current/export')).json();
      assert.deepEqual(exported.consents, [{ document_hash: consent, at }]);
    });

    test('is recorded in the version that was agreed to, once, and never for an existing account', async () => {
      await writeConsent('# Согласие');
      await using wall = await openWall(engine, { PAGES_DIR: folder });
      const [browser, email, consent] = [openBrowser(wall), newAddress(), await hashOf(wall)];
      const { id } = (await start(browser, email, { consent })).json();
      await writeConsent('# Другое согласие');
      while ((await hashOf(wall)) === consent) await sleep(100);
      assert.equal((await browser.verify('registrations', id, await wall.mail.codeTo(email))).statusCode, 200);
      const [stored, ...others] = await storedConsents(wall);
      assert.deepEqual([stored!.document_hash, others], [consent, []]);
      wall.clock.now += 61;
      await registerWith(wall, openBrowser(wall), email, await hashOf(wall));
      assert.equal((await openBrowser(wall).start('logins', email)).statusCode, 201, 'a login asks for no consent');
      assert.equal((await storedConsents(wall)).length, 1);
    });

    test('is not asked for without its text', async () => {
      await using wall = await openWall(engine, { PAGES_DIR: folder });
      const { send } = await register(wall);
      assert.equal((await send('GET', '/users/current')).statusCode, 200);
      await registerWith(wall, openBrowser(wall), newAddress(), '0'.repeat(64));
      assert.doesNotMatch((await wall.get('/')).text, /"consent"/);
    });

    test('is kept for three years after the account is deleted', async () => {
      await writeConsent('# Согласие');
      await using wall = await openWall(engine, { PAGES_DIR: folder });
      const [browser, email] = [openBrowser(wall), newAddress()];
      const id = await registerWith(wall, browser, email, await hashOf(wall));
      wall.clock.now += 61;
      const me = (await browser.send('GET', '/users/current')).json();
      await deleteAccount(wall, Object.assign(browser, me));
      wall.clock.now += 120;
      await runJobs(wall.db, wall.clock.now);
      assert.equal((await storedConsents(wall)).length, 1);
      const job = wall.db.read.selectFrom('jobs').select(['key', 'run_at']).where('name', '=', 'forget-consents');
      assert.deepEqual(await job.execute(), [{ key: String(id), run_at: wall.clock.now + 3 * 366 * 24 * 3_600 }]);
      await forgetConsents(wall.db, id);
      assert.deepEqual(await storedConsents(wall), []);
    });
  });
}

/** Settings, and the domains that may and may not be used with them. */
const lists = {
  'allow:почта.рф,example.org': [
    ['xn--80a1acny.xn--p1ai', 'Почта.РФ', 'a.b.example.org'],
    ['example.com', 'myexample.org'],
  ],
  'deny:bad.example,тест': [
    ['good.example', 'notbad.example', 'example.org'],
    ['bad.example', 'a.Bad.Example', 'я.тест'],
  ],
} as const;

for (const engine of engines) {
  describe(`domains of addresses on ${engine}`, () => {
    for (const [setting, [good, bad]] of Object.entries(lists)) {
      test(`may be used to register or not by ${setting}`, async () => {
        await using wall = await openWall(engine, { EMAIL_DOMAINS: setting, CODE_RESEND_SECONDS: '0' });
        const registerAt = (domain: string) => outcome(start(openBrowser(wall), `anna@${domain}`));
        for (const domain of good) assert.deepEqual(await registerAt(domain), [201], domain);
        for (const domain of bad) assert.deepEqual(await registerAt(domain), [400, 'INVALID_REQUEST'], domain);
      });
    }

    test('of existing accounts do not matter, and nothing reveals whether an account exists', async () => {
      await using wall = await openWall(engine, { EMAIL_DOMAINS: 'deny:example.org' });
      const email = 'anna_petrova@example.org';
      await wall.person('anna_petrova');
      const browser = openBrowser(wall);
      const [known, unknown] = [await start(browser, email), await start(browser, 'nobody@example.org')];
      assert.equal(known.statusCode, 400);
      assert.deepEqual(known.json(), unknown.json());
      assert.match(known.json().message, /^Адреса этого почтового сервиса здесь не принимают/);
      assert.equal((await browser.enter('logins', email)).statusCode, 200);
      const spent = wall.db.read.selectFrom('budgets').select('key').where('key', 'like', 'revelations%');
      assert.deepEqual(await spent.execute(), []);
    });

    test('are checked when an address is changed', async () => {
      await using wall = await openWall(engine, { EMAIL_DOMAINS: 'deny:other.example' });
      const anna = await register(wall);
      assert.deepEqual(await outcome(startEmailChange(anna, 'anna@mail.other.example')), [400, 'INVALID_REQUEST']);
      assert.equal((await startEmailChange(anna, newAddress())).statusCode, 201);
    });
  });
}
