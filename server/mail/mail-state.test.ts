import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { appoint } from '../../test/kit/desk.ts';
import { type Engine, engines, freshStorage } from '../../test/kit/engines.ts';
import { freePort } from '../../test/kit/free-port.ts';
import { newAddress, openBrowser } from '../../test/kit/sign-in.ts';
import { signedIn } from '../../test/kit/signed-in.ts';
import { startMailServer } from '../../test/kit/smtp.ts';
import { pollWithin } from '../../test/kit/polling.ts';
import { openWall, type Wall, wallOver } from '../../test/kit/wall.ts';
import { openDatabase } from '../db/open-database.ts';
import { putSetting, readSetting } from '../db/wall-setting-rows.ts';

type MailOf = WallAdmin['mail'];

/** An owner to whom no letter was sent. */
async function ownerOf(wall: Wall) {
  const id = await wall.person('keeper');
  await appoint(wall, { id: String(id) }, 'owner');
  const { token } = await signedIn(wall.db, id);
  const headers = { authorization: `Bearer ${token}` };
  const keep = async (of = wall) => (await of.get('/api/v1/keep', headers)).json as WallAdmin;
  return {
    keep,
    mail: async (of = wall): Promise<MailOf> => (await keep(of)).mail,
    sendTrial: async (of = wall): Promise<MailOf> => {
      const sent = await of.app.inject({ method: 'POST', url: '/api/v1/keep/mail', headers });
      assert.equal(sent.statusCode, 200, sent.body);
      return (await keep(of)).mail;
    },
  };
}

/** Asks for a code and waits until the mail server has been asked. */
async function askForCode(wall: Wall, email = newAddress()): Promise<void> {
  assert.equal((await openBrowser(wall).start('registrations', email)).statusCode, 201);
  const tried = wall.db.read.selectFrom('outbox').select('id').where('recipient', '=', email);
  await pollWithin(2_000, () => tried.where('state', '!=', 'sending').executeTakeFirst());
}

const settings = { RATE_LIMITS: 'off', MAIL_FROM: 'wall@stena.invalid' };

const open = (engine: Engine, SMTP_URL: string): Promise<Wall> => openWall(engine, { ...settings, SMTP_URL });

for (const engine of engines) {
  test(`owners read whether letters leave, from the last letter and from a trial, on ${engine}`, async () => {
    await using server = await startMailServer();
    await using wall = await open(engine, server.url);
    const owner = await ownerOf(wall);
    const nothing = { at: null, reason: null, said: null, held_until: null, today: null };
    assert.deepEqual(await owner.mail(), { state: 'untried', ...nothing });
    // Versions up to 1.0 stored this setting. It has no effect any more.
    await wall.db.tx((tx) => putSetting(tx, 'mail_trial', '1700000000'));
    assert.equal((await owner.mail()).state, 'untried');

    await askForCode(wall);
    const left = { ...nothing, state: 'left', at: wall.clock.now };
    assert.deepEqual(await owner.mail(), left);
    server.refuse((address) => (address.startsWith('person') ? 451 : undefined));
    await askForCode(wall);
    assert.deepEqual(await owner.mail(), left, 'one recipient has to wait');
    wall.clock.now += 3_600;
    server.refuse((address) => (address.startsWith('person') ? 550 : undefined));
    await askForCode(wall);
    assert.deepEqual(await owner.mail(), left, 'one recipient is refused');

    server.refuse((address) => (address.startsWith('wall') ? 550 : undefined));
    await askForCode(wall);
    const { said, ...refused } = await owner.mail();
    const reason =
      'Почтовый сервер не берёт писем от имени этой стены. Попросите того, кто ставил стену, проверить адрес отправителя.';
    const { said: _said, ...others } = nothing;
    assert.deepEqual(refused, { ...others, state: 'refused', at: wall.clock.now, reason });
    assert.match(said!, /^550 refused/);
    server.refuse(() => 451);
    assert.match((await owner.sendTrial()).reason!, /просит подождать/);
    server.refuse(undefined);
    wall.clock.now += 3_600;
    assert.deepEqual(await owner.sendTrial(), { ...left, at: wall.clock.now });
  });

  test(`the letters of a minute are written down once, on ${engine}`, async () => {
    await using server = await startMailServer();
    await using wall = await open(engine, server.url);
    const times: number[] = [];
    for (const seconds of [0, 10, 29, 1]) {
      wall.clock.now += seconds;
      await askForCode(wall);
      times.push((JSON.parse((await readSetting(wall.db.read, 'mail_state'))!) as { at: number }).at % 60);
    }
    assert.deepEqual(times, [20, 20, 20, 0]);
  });

  test(`what one process learns of the mail all of them say, on ${engine}`, async () => {
    await using fresh = await freshStorage(engine);
    await using server = await startMailServer();
    const databases = await Promise.all([1, 2].map(() => openDatabase(fresh.storage, () => {})));
    const [one, two] = [
      await wallOver(databases[0]!, { ...settings, SMTP_URL: server.url }),
      await wallOver(databases[1]!, { ...settings, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }),
    ];
    const owner = await ownerOf(one);
    for (const [asked, state] of [
      [one, 'left'],
      [two, 'refused'],
      [one, 'left'],
    ] as const) {
      const told = await owner.sendTrial(asked);
      assert.equal(told.state, state);
      for (const wall of [one, two]) assert.deepEqual(await owner.mail(wall), told);
    }
    // A process without a server does not ask what others have learned.
    const third = await wallOver(databases[1]!, { ...settings, SMTP_URL: '' });
    assert.equal((await owner.mail(third)).state, 'none');
    for (const wall of [one, two, third]) await wall.close();
    for (const db of databases) await db.close();
  });

  test(`while the mail is held, codes that wait are delayed and no trial letter is sent, on ${engine}`, async () => {
    await using server = await startMailServer();
    await using wall = await open(engine, server.url);
    const owner = await ownerOf(wall);
    let asked = 0;
    server.judge(() => {
      asked += 1;
      return '554 5.7.1 Message rejected under suspicion of SPAM';
    });
    await askForCode(wall);
    const held = await owner.mail();
    assert.equal(held.state, 'refused');
    assert.equal(held.held_until, wall.clock.now + 3_600);
    assert.match(held.reason!, /похожи на спам/);
    assert.match(held.said!, /^554 5\.7\.1 Message rejected/);
    assert.deepEqual(await owner.sendTrial(), held);
    assert.equal(asked, 1);

    wall.clock.now += 300;
    const browser = openBrowser(wall);
    const { id } = (await browser.start('registrations', newAddress())).json();
    const path = `/api/v1/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`;
    assert.equal((await wall.get(path)).json.state, 'delayed');
    const untried = wall.db.read.selectFrom('outbox').select('attempts').where('operation_id', '=', id);
    assert.deepEqual(await untried.execute(), [{ attempts: 0 }]);

    server.judge(undefined);
    wall.clock.now += 300;
    await pollWithin(
      2_000,
      async () => (await untried.where('state', '=', 'accepted').executeTakeFirst()) !== undefined || undefined,
    );
    assert.equal((await owner.mail()).state, 'refused');
    wall.clock.now += 3_000;
    assert.deepEqual(await owner.sendTrial(), {
      state: 'left',
      at: wall.clock.now,
      reason: null,
      said: null,
      held_until: null,
      today: null,
    });
  });

  test(`without a mail server nothing is said to have left, on ${engine}`, async () => {
    await using wall = await open(engine, '');
    const owner = await ownerOf(wall);
    await askForCode(wall);
    assert.deepEqual(await owner.sendTrial(), {
      state: 'none',
      at: null,
      reason: null,
      said: null,
      held_until: null,
      today: null,
    });
    assert.equal(await readSetting(wall.db.read, 'mail_state'), undefined);
  });
}

test('why letters do not leave is said in Russian, with what to do, and the words of the server hold no address', async () => {
  await using server = await startMailServer();
  const { port } = new URL(server.url);
  const closed = await freePort();
  for (const [url, reason, said] of [
    [`smtp://127.0.0.1:${closed}`, /не отвечает/, /ECONNREFUSED/],
    [`smtp://nobody.invalid:${port}`, /с таким именем не нашлось/, /nobody\.invalid/],
    [`smtps://127.0.0.1:${port}`, /защищённого соединения/, /SSL|TLS|version/i],
    [`smtp://anna:hidden-word@127.0.0.1:${port}`, /не принял имя и пароль/, /^535 refused/],
  ] as const) {
    await using wall = await open('sqlite', url);
    const told = await (await ownerOf(wall)).sendTrial();
    assert.equal(told.state, 'refused', url);
    assert.match(told.reason!, reason, JSON.stringify(told));
    assert.match(told.reason!, /Попросите того, кто ставил стену/);
    assert.match(told.said!, said);
    assert.doesNotMatch(told.said!, /@|hidden/);
  }
});

test('on a closed wall that cannot send, every address is told so alike', async () => {
  await using server = await startMailServer();
  await using wall = await open('sqlite', server.url);
  const owner = await ownerOf(wall);
  await wall.db.tx(async (tx) => {
    await putSetting(tx, 'readers', '"members"');
    tx.touch('wall');
  });
  await pollWithin(300, async () => (await wall.get('/api/v1/posts')).status === 401 || undefined);
  const states = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const email of ['keeper@example.org', newAddress()]) {
      const browser = openBrowser(wall);
      const { id } = (await browser.start('logins', email)).json();
      const path = `/api/v1/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`;
      found.push((await wall.get(path)).json.state);
    }
    return found;
  };
  assert.deepEqual(await states(), ['accepted', 'accepted']);
  server.refuse(() => 550);
  assert.equal((await owner.sendTrial()).state, 'refused');
  wall.clock.now += 61;
  assert.deepEqual(await states(), ['delayed', 'delayed']);
});
