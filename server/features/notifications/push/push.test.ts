import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import * as values from '#contract/example-values.ts';
import { engines, openFresh } from '../../../../test/kit/engines.ts';
import {
  type Member,
  outcome,
  publish,
  putWord,
  register,
  renew,
  replyTo,
  signInElsewhere,
} from '../../../../test/kit/member.ts';
import { freePort } from '../../../../test/kit/free-port.ts';
import { onWalls } from '../../../../test/kit/on-walls.ts';
import { parseMetrics } from '../../../../test/kit/prometheus.ts';
import { type PushBrowser, type PushServer, startPushServer, vapidOf } from '../../../../test/kit/push-server.ts';
import { SECRET } from '../../../../test/kit/server-process.ts';
import { openWall, type Wall } from '../../../../test/kit/wall.ts';
import { makeSecrets } from '../../../secrets.ts';
import { isOnInternet, pushHosts } from './push-hosts.ts';
import { encrypted } from './push-message.ts';
import { listDue, openWallKey, putSubscription, takeDue } from './push-store.ts';

const server = await startPushServer();
const METRICS = `127.0.0.1:${await freePort()}`;
const onWall = onWalls({ RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0', PUSH_HOSTS: server.host, METRICS });
const path = '/users/current/push';

async function subscribe(person: Member, more: object = {}): Promise<PushBrowser> {
  const browser = await server.subscribe();
  assert.deepEqual(await outcome(person.send('PUT', path, { ...browser.subscription, ...more })), [204]);
  return browser;
}

const subscriptions = async ({ db }: Wall): Promise<number> =>
  (await db.read.selectFrom('push_subscriptions').select('session_id').execute()).length;

/** Waits for more than a poll of the sender. */
const settled = (): Promise<unknown> => pause(1_500);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000 && !(await isSo()); tries += 1) await pause(20);
  assert.ok(await isSo());
}

test('a message is encrypted as in the example of RFC 8291', () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url');
  const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
  const body = encrypted('When I grow up, I want to be a watermelon', values.pushKeys, { salt, pair });
  assert.equal(
    body.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

onWall(
  'an answer reaches the browser, readable only there, signed by the wall and not longer than 2 kB',
  async (wall) => {
    const [anna, boris] = [await register(wall), await register(wall)];
    const [phone, quiet] = [
      await subscribe(anna),
      await subscribe(await signInElsewhere(wall, anna), { hides_text: true }),
    ];
    const root = (await publish(anna, 'Кто идёт на каток?')).id;
    const before = server.received.length;
    const reply = await replyTo(boris, root, '👋🏽'.repeat(240));
    await settled();
    assert.equal(server.received.length, before, 'who reads it at once needs no message');
    wall.clock.now += 5;
    const title = 'Участник без имени отвечает вам';
    const shown = await phone.message();
    assert.deepEqual({ ...shown, body: '' }, { title, body: '', url: `/posts/${root}#${reply}`, tag: root });
    const { body = '' } = shown;
    assert.ok(body.startsWith('👋🏽👋🏽') && [...body].length <= 121, body);
    assert.deepEqual(await quiet.message(), { title, url: `/posts/${root}#${reply}`, tag: root });
    const sent = server.received.at(-1)!;
    assert.ok(sent.body.length <= 2_048);
    assert.equal(sent.headers['content-encoding'], 'aes128gcm');
    assert.equal(sent.headers['ttl'], '86400');
    assert.match(String(sent.headers['topic']), /^[\w-]{32}$/);
    const { key } = (await anna.send('GET', '/push/key')).json();
    const claims = { aud: `https://${server.host}`, exp: wall.clock.now + 12 * 3_600, sub: 'mailto:wall@localhost' };
    assert.deepEqual(await vapidOf(sent), { key, claims });

    await putWord(anna, 'горка');
    await publish(boris, 'На горке весело');
    wall.clock.now += 5;
    assert.equal((await phone.message(2)).title, 'Участник без имени: слово «горка»');
    assert.equal((await quiet.message(2)).title, 'Участник без имени пишет на стене');
  },
);

onWall('about one discussion a message comes every two minutes at most, and none about what was read', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const phone = await subscribe(anna);
  const [root, other] = [(await publish(anna, 'раз')).id, (await publish(anna, 'два')).id];
  const first = await replyTo(boris, root, 'первый');
  wall.clock.now += 5;
  assert.equal((await phone.message()).body, 'первый');
  await replyTo(boris, root, 'второй');
  await replyTo(boris, root, 'третий');
  await replyTo(boris, other, 'в другом');
  wall.clock.now += 5;
  assert.equal((await phone.message(2)).body, 'в другом');
  wall.clock.now += 110;
  await settled();
  assert.equal((await phone.messages()).length, 2);
  wall.clock.now += 10;
  assert.equal((await phone.message(3)).body, 'третий');

  wall.clock.now += 121;
  const read = await replyTo(boris, root, 'прочитан');
  await replyTo(boris, other, 'не прочитан');
  assert.notEqual(read, first);
  const { posts } = (await anna.send('GET', '/users/current/notifications')).json();
  await anna.send('PUT', '/users/current/notifications/read', { up_to: posts[1].id });
  wall.clock.now += 5;
  assert.equal((await phone.message(4)).body, 'не прочитан');
  await until(async () => (await wall.db.read.selectFrom('pushes').select('tries').execute()).length === 1);
  assert.equal((await phone.messages()).length, 4);
});

onWall('a subscription ends with its session, with the account, and when the browser is gone', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const phone = await subscribe(anna);
  assert.deepEqual((await anna.send('GET', path)).json(), {
    endpoint: phone.subscription.endpoint,
    hides_text: false,
  });
  const { id: root } = await publish(anna, 'запись');
  server.status = 410;
  await replyTo(boris, root);
  wall.clock.now += 5;
  await until(async () => (await subscriptions(wall)) === 0);
  server.status = 201;
  assert.deepEqual((await anna.send('GET', path)).json(), { endpoint: null, hides_text: false });

  const second = await subscribe(anna);
  const elsewhere = await signInElsewhere(wall, anna);
  await subscribe(elsewhere);
  await boris.send('PUT', path, second.subscription);
  assert.equal(await subscriptions(wall), 2, 'a browser belongs to whoever is signed in there');
  await boris.send('DELETE', path);
  await elsewhere.send('DELETE', '/sessions/current');
  assert.equal(await subscriptions(wall), 0);
});

onWall(
  'what is not accepted is tried again, less and less often, and given up; no reply waits for it',
  async (wall) => {
    const [anna, boris] = [await register(wall), await register(wall)];
    const phone = await subscribe(anna);
    const { id: root } = await publish(anna, 'запись');
    server.status = 503;
    await replyTo(boris, root, 'ответ');
    wall.clock.now += 5;
    const waiting = wall.db.read.selectFrom('pushes').select(['tries', 'due_at']);
    for (const [tries, seconds] of [10, 40, 160, 640, 2_560].entries()) {
      await phone.message(tries + 1);
      const dueAt = wall.clock.now + seconds;
      await until(async () => (await waiting.executeTakeFirst())?.due_at === dueAt);
      wall.clock.now = dueAt;
    }
    await phone.message(6);
    await until(async () => (await waiting.execute()).length === 0);
    assert.equal(await subscriptions(wall), 1);
    const metrics = parseMetrics(await (await fetch(`http://${METRICS}/metrics`)).text());
    const tally = ['accepted', 'delayed', 'abandoned', 'unsubscribed'].map(
      (kind) => metrics[`stena_push_messages_total{outcome="${kind}"}`],
    );
    assert.deepEqual(tally, [0, 5, 1, 0]);
    await renew(boris);
    // The push service never responds.
    server.status = 0;
    await replyTo(boris, root, 'ещё один');
    wall.clock.now += 5;
    await phone.message(7);
    await replyTo(boris, root, 'и ещё');
    server.status = 201;
  },
);

test('a push service that does not respond, and a person with many such, hold up nobody else', async () => {
  await using silent = await startPushServer();
  silent.status = 0;
  for (const engine of engines) {
    const settings = { RATE_LIMITS: 'off', PUSH_HOSTS: `${server.host},${silent.host}` };
    await using wall = await openWall(engine, settings);
    const [anna, boris] = [await register(wall), await register(wall)];
    const before = silent.received.length;
    const subscribeAt = async (person: Member, from: PushServer): Promise<PushBrowser> => {
      const browser = await from.subscribe();
      assert.deepEqual(await outcome(person.send('PUT', path, browser.subscription)), [204]);
      return browser;
    };
    await subscribeAt(anna, silent);
    const roots: string[] = [];
    for (let i = 0; i < 60; i += 1) roots.push((await publish(anna, `обсуждение ${i}`)).id);
    for (let i = 0; i < 25; i += 1) {
      const person = await register(wall);
      await subscribeAt(person, silent);
      roots.push((await publish(person, 'вопрос')).id);
    }
    const galina = await register(wall);
    const phone = await subscribeAt(galina, server);
    roots.push((await publish(galina, 'а мне?')).id);
    for (const root of roots) await replyTo(boris, root);
    wall.clock.now += 5 + roots.length;
    assert.equal((await phone.message()).tag, roots.at(-1));
    const held = silent.received.length - before;
    assert.ok(held <= 20, `${held} messages to the silent service`);
  }
});

onWall(
  'who signs in in a browser where somebody else is signed in ends that session, with its messages',
  async (wall) => {
    const [anna, boris] = [await register(wall), await register(wall)];
    const phone = await subscribe(anna);
    const root = (await publish(anna, 'моё')).id;
    wall.clock.now += 61;
    await anna.enter('logins', boris.email);
    assert.equal((await anna.send('GET', '/users/current')).json().id, boris.id);
    assert.equal(await subscriptions(wall), 0);
    assert.equal((await anna.send('GET', '/sessions')).json().sessions.length, 2);
    await replyTo(boris, root);
    wall.clock.now += 5;
    await settled();
    assert.deepEqual(await phone.messages(), []);
  },
);

onWall('messages go to push services on the internet alone', async (wall) => {
  const anna = await register(wall);
  const { keys } = (await server.subscribe()).subscription;
  const refused = [
    'http://push.example.org/',
    `http://${server.host}/`,
    'https://localhost/',
    'https://wall.localhost/',
    'https://intranet/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::1]:5432/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://user:password@push.example.org/',
    'push',
  ];
  for (const endpoint of refused) {
    assert.deepEqual(await outcome(anna.send('PUT', path, { endpoint, keys })), [400, 'INVALID_REQUEST'], endpoint);
  }
  const endpoint = values.pushEndpoint;
  const zeros = Buffer.concat([Buffer.of(4), Buffer.alloc(64)]).toString('base64url');
  for (const body of [
    { endpoint },
    { endpoint, keys: { ...keys, p256dh: zeros } },
    { endpoint, keys: { ...keys, auth: 'AAAA' } },
    { endpoint, keys, expirationTime: null },
    { endpoint: `${endpoint}${'a'.repeat(1_000)}`, keys },
  ]) {
    assert.deepEqual(await outcome(anna.send('PUT', path, body)), [400, 'INVALID_REQUEST'], JSON.stringify(body));
  }
  assert.deepEqual(await outcome(anna.send('PUT', path, { endpoint, keys })), [204]);
});

test('a name that leads into a private network is refused, and again when it has changed', async () => {
  let address = '10.0.0.1';
  const hosts = pushHosts([], { resolve4: async () => ['93.184.216.34', address], resolve6: () => Promise.reject() });
  const url = new URL('https://push.example.org/');
  assert.equal(await hosts.isAllowed(url), false);
  address = '93.184.216.35';
  assert.equal(await hosts.isAllowed(url), true);
  const connect = (): Promise<unknown> =>
    new Promise((resolve) => {
      hosts.connecting(url).lookup('push.example.org', { all: true }, (error, found) => resolve(error ?? found));
    });
  assert.deepEqual(await connect(), [
    { address: '93.184.216.34', family: 4 },
    { address: '93.184.216.35', family: 4 },
  ]);
  address = '127.0.0.1';
  assert.ok((await connect()) instanceof Error);
  const addresses = {
    '8.8.8.8': true,
    '2a00:1450:4010::5e': true,
    '100.64.0.1': false,
    'fe80::1': false,
    'fc00::1': false,
  };
  for (const [one, expected] of Object.entries({ ...addresses, '2002:7f00:1::': false, '64:ff9b::7f00:1': false })) {
    assert.equal(isOnInternet(one), expected, one);
  }
});

for (const engine of engines) {
  test(`of several processes one sends a message on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const { db } = fresh;
    const userId = await db.tx(({ db: tx }) =>
      tx
        .insertInto('users')
        .values({ username: 'anna', username_key: 'anna', email: 'a@example.org', created_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await db.tx(async (tx) => {
      const session = { user_id: userId.id, client_token: '', device: '{}', created_at: 1, last_active_at: 1 };
      for (let i = 1; i <= 20; i += 1) {
        const { id } = await tx.db
          .insertInto('sessions')
          .values({ ...session, cookie_hash: String(i) })
          .returning('id')
          .executeTakeFirstOrThrow();
        const keys = { ...values.pushKeys, endpoint: `https://push.example.org/${i}`, hides_text: 0 };
        await putSubscription(tx, { ...keys, session_id: id, user_id: userId.id });
        await tx.db.insertInto('pushes').values({ session_id: id, root_post_id: 1, post_id: 2, due_at: 10 }).execute();
      }
    });
    const take = async (now: number, atMost: number) =>
      takeDue(db, now, await listDue(db.read, now, { people: [], hosts: [] }, atMost));
    const taken = await Promise.all(Array.from({ length: 4 }, () => take(10, 15)));
    const sessions = taken.flat().map(({ session_id: id }) => id);
    assert.equal(new Set(sessions).size, sessions.length);
    assert.ok(sessions.length >= 15);
    await take(10, 50);
    assert.deepEqual(await take(39, 50), []);
    assert.equal((await take(40, 50)).length, 20, 'what a killed process has taken is sent by another');
  });

  test(`the wall keeps its key while the secret is the same or the previous one is known, on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const open = (secret: string, previous?: string) =>
      openWallKey(fresh.db, makeSecrets(secret, previous), previous !== undefined);
    const other = 'another secret of the same operator';
    const [key, same] = await Promise.all([open(SECRET), open(SECRET)]);
    assert.deepEqual(same, key);
    assert.deepEqual(await open(other, SECRET), key);
    assert.deepEqual(await open(other), key);
    assert.notDeepEqual(await open(SECRET), key);
    const { value } = await fresh.db.read
      .selectFrom('wall_settings')
      .select('value')
      .where('key', '=', 'push_key')
      .executeTakeFirstOrThrow();
    assert.ok(!value.includes(key.publicKey));
  });
}
