import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Calls, calls } from '#contract/calls.ts';
import type { WallAdmin, MailFinding, StepsAndMail } from '#contract/wall-admin.ts';
import { journal, registerModerator } from '../../../test/kit/desk.ts';
import { engines, freshStorage } from '../../../test/kit/engines.ts';
import { outcome, publish } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { pollWithin } from '../../../test/kit/polling.ts';
import { openWall, wallOver } from '../../../test/kit/wall.ts';
import { openDatabase } from '../../db/open-database.ts';
import { putSetting } from '../../db/wall-setting-rows.ts';
import { version } from '../../version.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' });

const settings = {
  name: 'Наш двор',
  line: 'О чём говорят во дворе',
  mark: '🏡',
  contact: 'dvor@example.org',
  registration: 'invite',
  readers: 'everyone',
};

onWalls({ APP_NAME: 'Стенка', CONTACT: 'https://example.org/we' })(
  'the settings of the wall are those of the environment until an owner changes them, and are then everywhere',
  async (wall) => {
    const owner = await registerModerator(wall, 'owner');
    const gate = { gate_posts: 0, gate_hours: 24 };
    const before = {
      name: 'Стенка',
      line: '',
      mark: '',
      contact: 'https://example.org/we',
      registration: 'open',
      readers: 'everyone',
      pace: 0,
      report_letters: true,
      letter_texts: false,
      carry_others: true,
      carry_letters: false,
      ...gate,
    };
    assert.deepEqual((await owner.send('GET', '/keep')).json().settings, before);
    const pages = ['/', '/about', '/feed.xml', '/manifest.webmanifest', '/api/v1/openapi.json', '/api'];
    for (const path of pages) assert.match((await wall.get(path)).text, /Стенка/, path);

    const saved = await owner.send('PUT', '/keep/settings', settings);
    const after = {
      ...settings,
      contact: 'mailto:dvor@example.org',
      pace: 0,
      report_letters: true,
      letter_texts: false,
      carry_others: true,
      carry_letters: false,
      ...gate,
    };
    assert.deepEqual([saved.statusCode, saved.json().settings], [200, after], saved.body);
    for (const path of pages) {
      const { text } = await wall.get(path);
      assert.match(text, /Наш двор/, path);
      assert.doesNotMatch(text, /Стенка/, path);
    }
    assert.match((await wall.get('/')).text, /<meta name="description" content="О чём говорят во дворе"/);
    assert.match((await wall.get('/manifest.webmanifest')).text, /О чём говорят во дворе/);
    for (const path of ['/', '/search', '/sign-in']) {
      const { text } = await wall.get(path);
      assert.match(text, /<b>Наш двор<\/b> <span>О чём говорят во дворе<\/span>/, path);
      assert.match(text, /<link rel="icon" href="\/mark\.svg\?%F0%9F%8F%A1" type="image\/svg\+xml"\/>/, path);
    }
    assert.match((await wall.get('/')).text, /<meta property="og:site_name" content="Наш двор"\/>/);
    assert.match((await wall.get('/.well-known/security.txt')).text, /Contact: mailto:dvor@example\.org/);
    assert.match((await wall.get('/rules')).text, /dvor@example\.org/);
    wall.clock.now += 61;
    await owner.start('logins', owner.email);
    await wall.mail.codeTo(owner.email);
    assert.match(JSON.stringify(wall.mail.received.at(-1)), /Наш двор.*О чём говорят во дворе/);

    const acts = (await journal(owner)).map(({ action, target, details }) => [action, target, details?.['before']]);
    assert.deepEqual(acts, [
      ['settings', 'name', null],
      ['settings', 'line', null],
      ['settings', 'mark', null],
      ['settings', 'contact', null],
      ['registration', 'invite', undefined],
    ]);
    // Saving the same value is no act.
    await owner.send('PUT', '/keep/settings', { ...settings, line: '' });
    const [last] = (await journal(owner)).slice(5);
    assert.deepEqual(last?.details, { before: settings.line, after: '' });
    assert.equal((await journal(owner)).length, 6);
    const closed = await owner.send('PUT', '/keep/settings', { ...settings, line: '', gate_posts: 2 });
    assert.equal(closed.json().settings.gate_posts, 2);
    assert.deepEqual((await journal(owner)).at(-1)?.target, 'gate_posts');
  },
);

onWall(
  'the settings of the wall are changed one by one: what is absent stays, and an unknown stored value counts as the closed one',
  async (wall) => {
    const owner = await registerModerator(wall, 'owner');
    const put = async (part: object): Promise<WallAdmin> => {
      const saved = await owner.send('PUT', '/keep/settings', part);
      assert.equal(saved.statusCode, 200, saved.body);
      return saved.json();
    };
    await put({ readers: 'members' });
    await put({ registration: 'closed', invite_terms: { invite_links: 1 } });
    const { settings: kept, invite_terms: terms } = await put({ name: 'Наш двор' });
    assert.deepEqual([kept.name, kept.readers, kept.registration], ['Наш двор', 'members', 'closed']);
    assert.deepEqual(terms, { invite_days: 14, invite_posts: 5, invite_links: 1 });
    await put({});
    assert.equal((await journal(owner)).length, 4);

    await put({ readers: 'everyone', registration: 'open' });
    await wall.db.tx(async (tx) => {
      await putSetting(tx, 'readers', '"friends"');
      await putSetting(tx, 'registration', 'friends');
      tx.touch('wall');
    });
    await pollWithin(300, async () => (await wall.get('/api/v1/posts')).status === 401 || undefined);
    const { settings: unknown } = (await owner.send('GET', '/keep')).json() as WallAdmin;
    assert.deepEqual([unknown.readers, unknown.registration], ['members', 'closed']);
  },
);

onWalls({ RATE_LIMITS: 'off', CONTACT: 'https://example.org/we' })(
  'the settings of the wall are refused with the reason, and belong to owners alone',
  async (wall) => {
    const owner = await registerModerator(wall, 'owner');
    for (const [part, message] of [
      [{ name: ' \u200b ' }, /Введите имя стены/],
      [{ name: 'ж'.repeat(61) }, /длиннее 60/],
      [{ line: 'ж'.repeat(161) }, /длиннее 160/],
      ...['🏡🏡', 'д', '7', '🏡 дом', '🏳️\u200d🌈🏡', '<b>'].map((mark) => [{ mark }, /Нужен один эмодзи/] as const),
      [{ contact: 'javascript:alert(1)' }, /Нужна почта/],
      [{ contact: '' }, /Нужна почта/],
      [{ gate_posts: 6 }, /Проверьте/],
      [{ gate_hours: 0 }, /Проверьте/],
    ] as const) {
      const refused = await owner.send('PUT', '/keep/settings', { ...settings, ...part });
      assert.equal(refused.statusCode, 400);
      assert.match(refused.json().message, message);
    }
    assert.deepEqual(await journal(owner), []);
  },
);

onWall('the pictures of the wall are those that were drawn with its present name, line and mark', async (wall) => {
  const owner = await registerModerator(wall, 'owner');
  const { body } = calls['PUT /keep/pictures'].example as { body: Calls['PUT /keep/pictures']['body'] };
  const { share, icon } = body;
  const put = (part: object) => owner.send('PUT', '/keep/pictures', { ...body, ...part });
  const shown = async () => {
    const { text } = await wall.get('/about');
    const addresses = [/og:image" content="([^"]+)/, /apple-touch-icon" href="([^"]+)/].map((at) => at.exec(text)![1]!);
    return [...addresses, /og:image:alt" content="([^"]+)/.exec(text)![1]!];
  };
  const bricks = await shown();
  const { origin } = new URL(bricks[0]!);
  assert.deepEqual(bricks.slice(0, 2), [`${origin}/share.png`, '/apple-touch-icon.png']);
  // The pictures show a name that the wall does not have, so they are ignored.
  assert.deepEqual([(await put({})).json().pictures, await shown()], [false, bricks]);

  assert.equal((await owner.send('PUT', '/keep/settings', { ...body.of, readers: 'members' })).json().pictures, false);
  assert.equal((await put({})).json().pictures, true);
  const [address, touch, words] = await shown();
  assert.match(address!.replace(origin, ''), /^\/wall-share\.png\?\w{8}$/);
  assert.match(touch!, /^\/wall-icon\.png\?\w{8}$/);
  assert.equal(words, `${body.of.name}. ${body.of.line}`);
  // Programs that load the pictures are not signed in, although the wall is closed.
  for (const [path, base64] of [
    [new URL(address!).pathname, share],
    [touch!, icon],
  ] as const) {
    const { statusCode, headers, rawPayload } = await wall.app.inject(path);
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'], path);
    assert.ok(rawPayload.equals(Buffer.from(base64, 'base64')), path);
  }

  for (const bad of [
    { share: icon },
    { icon: share },
    { icon: icon.slice(0, -16) },
    { icon: Buffer.from(`<svg>${icon}`).toString('base64') },
    { icon: '<svg/>' },
    { share: 'A'.repeat(240_001) },
  ]) {
    assert.deepEqual(await outcome(put(bad)), [400, 'INVALID_REQUEST']);
  }
  const moderator = await registerModerator(wall, 'moderator');
  assert.deepEqual(await outcome(moderator.send('PUT', '/keep/pictures', body)), [404, 'NOT_FOUND']);

  assert.equal((await owner.send('PUT', '/keep/settings', { line: 'О другом' })).json().pictures, false);
  assert.deepEqual(await shown(), bricks);
  for (const path of ['/wall-share.png', '/wall-icon.png']) assert.equal((await wall.get(path)).status, 404, path);
});

onWall('who may come and when members invite is set, within their ranges, and are in the journal', async (wall) => {
  const owner = await registerModerator(wall, 'owner');
  const put = (part: object) => owner.send('PUT', '/keep/settings', { ...kept, ...part });
  const { settings: kept, invite_terms: first } = (await owner.send('GET', '/keep')).json();
  assert.deepEqual(first, { invite_days: 14, invite_posts: 5, invite_links: 3 });
  for (const registration of ['members', 'invite', 'closed', 'open', 'members']) {
    assert.equal((await put({ registration })).json().settings.registration, registration);
  }
  const terms = { invite_days: 70, invite_posts: 5, invite_links: 1 };
  assert.deepEqual((await put({ registration: 'members', invite_terms: terms })).json().invite_terms, terms);
  for (const bad of [{ registration: 'nobody' }, { invite_terms: { ...terms, invite_links: 0 } }]) {
    assert.deepEqual(await outcome(put(bad)), [400, 'INVALID_REQUEST']);
  }
  assert.match((await wall.get('/')).text, /"registration":"members"/);
  const acts = (await journal(owner)).slice(5).map(({ target, details }) => [target, details]);
  assert.deepEqual(acts, [
    ['invite_days', { before: null, after: '70' }],
    ['invite_links', { before: null, after: '1' }],
  ]);
});

onWalls({ RATE_LIMITS: 'off', MAIL_FROM: 'wall@stena.invalid' })(
  'the first steps are ticked by what is true',
  async (wall, t) => {
    t.mock.method(Resolver.prototype, 'resolveMx', async () => []);
    const owner = await registerModerator(wall, 'owner');
    const state = async (): Promise<WallAdmin> => (await owner.send('GET', '/keep')).json();
    const steps = async () => {
      const found = (await owner.send('GET', '/keep/steps')).json();
      const { first_steps: shown, mail } = await state();
      assert.deepEqual({ ...shown, mail }, found);
      const { mail: _mail, ...done } = found as StepsAndMail;
      return Object.entries(done).flatMap(([step, isDone]) => (isDone ? step : []));
    };
    assert.deepEqual(await steps(), []);
    await owner.send('PUT', '/keep/settings', settings);
    await owner.send('PUT', '/keep/texts/rules', { markdown: 'Не шуметь' });
    assert.deepEqual(await steps(), ['about', 'rules']);
    const { findings } = (await owner.send('POST', '/keep/mail')).json();
    assert.deepEqual(findings.at(-1), {
      check: 'Письмо',
      state: 'good',
      text: `почтовый сервер принял пробное письмо для ${owner.email}`,
    });
    assert.deepEqual(findings.find(({ check }: MailFinding) => check === 'MX').found, []);
    await publish(owner, 'Привет');
    await owner.send('POST', '/moderation/invites', { count: 1, reason: 'соседям' });
    assert.deepEqual(await steps(), ['about', 'rules', 'post', 'invite']);
    await owner.send('PATCH', '/users/current/profile', { display_name: 'Анна Петровна' });
    await owner.send('PUT', '/keep/settings', { registration: 'open' });
    const second = await registerModerator(wall, 'owner');
    const seen = (await second.send('GET', '/keep/steps')).json();
    assert.deepEqual(seen, (await owner.send('GET', '/keep/steps')).json());
    assert.deepEqual([seen.name, seen.is_hidden], ['Анна Петровна', false]);
    await second.send('PUT', '/keep/steps', { is_hidden: true });
    assert.equal((await owner.send('GET', '/keep/steps')).json().is_hidden, true);
    await owner.send('PUT', '/keep/steps', { is_hidden: false });
    assert.equal((await second.send('GET', '/keep/steps')).json().is_hidden, false);

    const { health, keepers } = await state();
    assert.equal(health.last_backup, null);
    assert.equal(health.version, version);
    assert.deepEqual(keepers, [
      { id: owner.id, username: 'anna_petrovna', display_name: 'Анна Петровна', face: null, role: 'owner' },
      { id: second.id, username: second.username, display_name: null, face: null, role: 'owner' },
    ]);
  },
);

for (const engine of engines) {
  describe(`the settings of the wall on ${engine}`, () => {
    test('reach another process, and survive a restart', async () => {
      await using fresh = await freshStorage(engine);
      const databases = await Promise.all([1, 2].map(() => openDatabase(fresh.storage, () => {})));
      const [one, two] = [await wallOver(databases[0]!), await wallOver(databases[1]!)];
      const owner = await registerModerator(one, 'owner');
      assert.match((await two.get('/')).text, /<title>Стена</);
      await owner.send('PUT', '/keep/settings', settings);
      await pollWithin(500, async () => (await two.get('/')).text.includes('Наш двор') || undefined);
      await two.close();
      const again = await wallOver(databases[1]!);
      assert.match((await again.get('/')).text, /Наш двор/);
      for (const wall of [one, again]) await wall.close();
      for (const db of databases) await db.close();
    });

    test('texts are written, previewed and taken back; a file wins', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'pages-'));
      await writeFile(join(folder, 'about.md'), '# О нас');
      await using wall = await openWall(engine, { PAGES_DIR: folder, RATE_LIMITS: 'off' });
      t.after(() => rm(folder, { recursive: true }));
      const owner = await registerModerator(wall, 'owner');
      const put = (name: string, markdown: string | null) => owner.send('PUT', `/keep/texts/${name}`, { markdown });
      const sources = (response: { json(): WallAdmin }) => response.json().texts.map(({ source }) => source);
      assert.deepEqual(sources(await owner.send('GET', '/keep')), ['file', 'default', 'default', 'none']);

      const preview = await owner.send('POST', '/keep/texts/rules/preview', {
        markdown: '# Наши\n\n<b>x</b> {{APP_NAME}}',
      });
      assert.deepEqual(preview.json(), { title: 'Наши', html: '<p>&lt;b&gt;x&lt;/b&gt; Стена</p>\n' });
      assert.match((await wall.get('/rules')).text, /<title>Правила/);
      // This text is longer than the bodies of other calls may be.
      const saved = await put('rules', `# Наши\n\n${'Не шуметь. '.repeat(4_000)}`);
      assert.deepEqual(sources(saved), ['file', 'wall', 'default', 'none'], saved.body);
      assert.match((await wall.get('/rules')).text, /<title>Наши.*Не шуметь/s);
      assert.deepEqual(await outcome(put('about', 'x')), [403, 'FORBIDDEN']);
      assert.deepEqual(await outcome(put('api', 'x')), [404, 'NOT_FOUND']);
      // Each hedgehog is one character for people and two in UTF-16.
      const outcomeOf = (length: number) =>
        outcome(owner.send('POST', '/keep/texts/rules/preview', { markdown: '🦔'.repeat(length) }));
      assert.deepEqual(await outcomeOf(60_000), [200]);
      assert.deepEqual(await outcomeOf(60_001), [400, 'INVALID_REQUEST']);
      assert.deepEqual(await outcome(put('rules', 'ж'.repeat(60_001))), [400, 'INVALID_REQUEST']);

      await put('consent', 'Согласен.');
      const refused = await openBrowser(wall).start('registrations', newAddress());
      assert.match(refused.json().message, /огласи/);
      assert.deepEqual(sources(await put('consent', null)), ['file', 'wall', 'default', 'none']);
      assert.deepEqual(await outcome(openBrowser(wall).start('registrations', newAddress())), [201]);
      assert.deepEqual(sources(await put('rules', ' \n')), ['file', 'default', 'default', 'none']);
      assert.match((await wall.get('/rules')).text, /<title>Правила/);
      const acts = (await journal(owner)).map(({ action, target }) => `${action} ${target}`);
      assert.deepEqual(
        acts,
        ['rules.md', 'consent.md', 'consent.md', 'rules.md'].map((key) => `wall-text ${key}`),
      );
    });
  });
}
