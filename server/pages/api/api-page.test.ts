import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Value } from 'typebox/value';
import { statusOf } from '#contract/call.ts';
import { keepersAreas, callTable } from '#contract/calls.ts';
import type { ErrorBody } from '#contract/errors.ts';
import * as values from '#contract/example-values.ts';
import { inputsOf, somebody } from '../../../test/kit/callers.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { freePort } from '../../../test/kit/free-port.ts';
import { newUser, now, signedIn } from '../../../test/kit/signed-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { writingBudgets } from '../../limits/writing-budgets.ts';
import { alsoSpends, budgetOf } from './call-limits.ts';

const run = promisify(execFile);

const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('the page about the API', () => {
  let wall: Wall;
  let page: string;
  let publicUrl: string;
  let inputOf: ReturnType<typeof inputsOf>;

  before(async () => {
    const port = await freePort();
    publicUrl = `http://localhost:${port}`;
    wall = await openWall('sqlite', { PUBLIC_URL: publicUrl });
    wall.clock.now = now();
    inputOf = inputsOf(wall);
    await wall.app.listen({ host: 'localhost', port });
    page = (await wall.get('/api')).text.replace(/<script id="page-data".*/s, '');
    await newUser(wall.db, values.galina.username, wall.clock.now, values.email);
    const owner = await registerModerator(wall, 'owner');
    const terms = { invite_days: 0, invite_posts: 0, invite_links: 100 };
    await owner.send('PUT', '/keep/settings', { registration: 'members', invite_terms: terms });
  });
  after(() => wall.close());

  /** The section of a call. */
  const sectionOf = (name: string): string | undefined =>
    page.split(/(?=<h[23] id=")/).find((part) => part.startsWith(`<h3 id="${name}">`));

  test('lists every call but those of keepers, and is open to search engines', async () => {
    const response = await wall.get('/api');
    assert.equal(response.status, 200);
    assert.doesNotMatch(response.text, /name="robots"|\/moderation\//);
    assert.doesNotMatch((await wall.get('/robots.txt')).text, /^Disallow: \/api$/m);
    assert.match((await wall.get('/sitemap-0.xml')).text, /\/api<\/loc>/);
    assert.ok(response.headers['etag']);
    const { etag } = response.headers as { etag: string };
    assert.equal((await wall.get('/api', { 'if-none-match': etag })).status, 304);
    for (const { name, area } of callTable) {
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

  for (const row of callTable.filter(({ area }) => !keepersAreas.has(area))) {
    const { name, example } = row;
    test(`the command of ${name} works as it is written`, async () => {
      const section = sectionOf(name)!;
      const command = unescaped(/<pre><code>(curl .*?)<\/code><\/pre>/s.exec(section)![1]!);
      const caller = await somebody(wall);
      const { token, cookie } = await signedIn(wall.db, caller.id, { clientToken: values.clientToken });
      // The values of the example are replaced by values of this wall.
      const isOthers = ['mute', 'reportPost', 'followAuthor'].includes(name);
      const { url, payload } = await inputOf(row, isOthers ? await somebody(wall) : caller, isOthers);
      const [path, search = ''] = url.split('?') as [string, string?];
      const ids = new Map(new URLSearchParams(search));
      const replaced = command
        .replace(/(?<=localhost:\d+)\/[^'?]+/, path)
        .replaceAll(/(?<=[?&](\w+)=)\d+/g, (id, parameter: string) => ids.get(parameter) ?? id)
        .replace(/(?<=--json ')[^]*(?='$)/, (body) => {
          assert.deepEqual(JSON.parse(body), (example as { body: object }).body);
          return JSON.stringify(payload);
        });
      await wall.db.tx(({ db }) => db.deleteFrom('budgets').execute());
      const env = { ...process.env, TOKEN: token, SESSION: cookie };
      const { stdout } = await run('sh', ['-c', String.raw`${replaced} -sS -w '\n%{http_code}'`], { env });
      const at = stdout.lastIndexOf('\n');
      const [status, body] = [Number(stdout.slice(at + 1)), stdout.slice(0, at)];
      // No example has the code of a mail.
      if (row.codes?.includes('INVALID_CONFIRM_CODE')) {
        assert.deepEqual([status, (JSON.parse(body) as ErrorBody).code], [400, 'INVALID_CONFIRM_CODE'], stdout);
        return;
      }
      assert.equal(status, statusOf(row), `${replaced}\n${stdout}`);
      if (row.reply) assert.deepEqual(Value.Errors(row.reply, JSON.parse(body)), []);

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
});
