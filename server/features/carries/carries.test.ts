import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { CarriedPart, CarriedWall } from '#contract/carried.ts';
import type { Carry } from '#contract/carries.ts';
import { close } from '../../../test/kit/closed-wall.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { choose, day, lettersNow, tuesday } from '../../../test/kit/digest.ts';
import { type Member, outcome, publish, register, replyTo } from '../../../test/kit/member.ts';
import { removePost } from '../../../test/kit/moderation.ts';
import { errorOf, outputOf, runCommand } from '../../../test/kit/command-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { engines, openFresh } from '../../../test/kit/engines.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import { removeExpired } from '../../ops/jobs/wall-jobs.ts';
import { blockUser } from '../moderation/moderation-store.ts';
import { createPost } from '../posts/post-writes.ts';
import { tooMany } from './carried-posts.ts';
import { makeCarry } from '../../ops/jobs/make-carry.ts';

const onWall = onWalls(
  { RATE_LIMITS: 'off', PUBLIC_URL: 'https://wall.example', ACCESS_TOKEN_SECONDS: String(90 * day) },
  'a carried wall',
);

const own = '/users/current/carries';

async function listed(by: Member): Promise<Carry[]> {
  const shown = await by.send('GET', own);
  assert.equal(shown.statusCode, 200, shown.body);
  return shown.json().carries;
}

async function carry(wall: Wall, by: Member, path = own, body: object = {}): Promise<Carry> {
  const started = await by.send('POST', path, body);
  assert.equal(started.statusCode, 201, started.body);
  await runJobs(wall.db, wall.clock.now);
  return (await listed(by)).find(({ id }) => id === started.json().id)!;
}

/** Asks for the own posts without a job that makes the file. */
async function asked(wall: Wall, by: Member): Promise<string> {
  const id = `asked-${by.id}`;
  const row = {
    id,
    user_id: Number(by.id),
    of_id: Number(by.id),
    with_others: 1,
    made_at: wall.clock.now,
    expires_at: wall.clock.now + 86_400,
  };
  await wall.db.tx(({ db }) => db.insertInto('carries').values(row).execute());
  return id;
}

const fileAt = (wall: Wall, { url }: Carry) => wall.app.inject({ method: 'GET', url: new URL(url!).pathname });

async function read(wall: Wall, carried: Carry) {
  const { statusCode, body, headers } = await fileAt(wall, carried);
  assert.equal(statusCode, 200);
  return { body, headers, ...carriedIn(body) };
}

function carriedIn(file: string) {
  const [, about] = /<script type="application\/json" id="wall">(.*?)<\/script>/s.exec(file)!;
  const parts = [...file.matchAll(/<script type="application\/gzip">([\w+/=]*)<\/script>/g)].map(
    ([, part]) => JSON.parse(gunzipSync(Buffer.from(part!, 'base64')).toString()) as CarriedPart,
  );
  const posts = parts.flatMap((part) => part.posts.map(({ by, ...post }) => ({ ...post, by: part.people[by]! })));
  return { about: JSON.parse(about!) as CarriedWall, posts, texts: posts.map(({ text }) => text) };
}

onWall('has what anybody may read, the newest first, without what is withdrawn or of blocked people', async (wall) => {
  const owner = await registerModerator(wall, 'owner');
  const [anna, boris, blocked] = [await register(wall), await register(wall), await register(wall)];
  const root = await publish(anna, 'Корень </script><script>alert(1)</script>');
  const reply = await replyTo(boris, root.id, 'Ответ');
  await replyTo(anna, reply, 'Ответ на ответ');
  await replyTo(blocked, root.id, 'От заблокированного');
  await removePost(wall, await replyTo(boris, root.id, 'Убранное'));
  const withdrawn = await replyTo(boris, root.id, 'Удалённое');
  await boris.send('DELETE', `/posts/${withdrawn}`);
  await wall.db.tx((tx) => blockUser(tx, Number(blocked.id), 'спам', wall.clock.now));
  const carried = await carry(wall, owner, '/keep/carries');
  assert.deepEqual([carried.whole, carried.state, carried.done, carried.total], [true, 'ready', 3, 3]);
  const { body, headers, about, posts, texts } = await read(wall, carried);
  assert.deepEqual(texts, ['Ответ на ответ', 'Ответ', root.text]);
  assert.deepEqual(
    posts.map(({ root: of, to }) => [of, to]),
    [
      [root.id, reply],
      [root.id, root.id],
      [undefined, undefined],
    ],
  );
  assert.deepEqual([about.name, about.posts, about.of], ['Стена', 3, null]);
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(String(headers['content-disposition']), /^attachment; filename="stena-[\d-]{10}\.html"$/);
  // The XML namespaces are names, from which nothing is loaded.
  const addresses = new Set(body.match(/\bhttps?:\/\/[^/"'`\s]*/g));
  assert.deepEqual([...addresses].toSorted(), ['http://www.w3.org', 'https://wall.example']);
  for (const { email } of [anna, boris, owner])
    assert.ok(!body.includes(email) && !JSON.stringify(posts).includes(email));
});

onWall(
  'of a person has the own posts and the discussions around them, unless the owner or a closed wall forbids',
  async (wall) => {
    const owner = await registerModerator(wall, 'owner');
    const [anna, boris] = [await register(wall), await register(wall)];
    const around = await publish(boris, 'Вопрос');
    await replyTo(anna, around.id, 'Мой ответ');
    await replyTo(boris, around.id, 'Чужой ответ');
    await publish(anna, 'Моя запись');
    await publish(boris, 'Другая запись');
    const whole = await read(wall, await carry(wall, anna));
    assert.deepEqual(whole.texts, ['Моя запись', 'Чужой ответ', 'Мой ответ', 'Вопрос']);
    assert.equal(whole.about.of, anna.username);
    const alone = ['Моя запись', 'Мой ответ'];
    await owner.send('PUT', '/keep/settings', { carry_others: false });
    assert.deepEqual((await read(wall, await carry(wall, anna))).texts, alone);
    await owner.send('PUT', '/keep/settings', { carry_others: true });
    await close(owner);
    const closed = await carry(wall, anna);
    assert.deepEqual((await read(wall, closed)).texts, alone, 'whoever knows the address needs no session');
    const year = new Date(wall.clock.now * 1_000).getUTCFullYear();
    assert.equal((await read(wall, await carry(wall, anna, own, { year: year - 1 }))).texts.length, 0);
    assert.equal((await read(wall, await carry(wall, anna, own, { year }))).texts.length, 2);
  },
);

onWall('is for the person who asked, lasts a day, and goes with the account', async (wall) => {
  const owner = await registerModerator(wall, 'owner');
  const [anna, boris] = [await register(wall), await register(wall)];
  assert.deepEqual(await listed(anna), []);
  assert.deepEqual(await outcome(anna.send('POST', '/keep/carries', {})), [404, 'NOT_FOUND']);
  const id = await asked(wall, anna);
  const [making] = await listed(anna);
  assert.deepEqual([making!.id, making!.state, making!.url, making!.whole], [id, 'making', null, false]);
  assert.equal((await wall.app.inject({ method: 'GET', url: `/carried/${id}` })).statusCode, 404);
  wall.clock.now += 3_601;
  assert.equal((await listed(anna))[0]!.state, 'failed');
  const carried = await carry(wall, anna);
  for (const other of [boris, owner]) assert.deepEqual(await listed(other), []);
  wall.clock.now += 24 * 3_600 + 1;
  assert.equal((await fileAt(wall, carried)).statusCode, 404);
  await removeExpired(wall.db, wall.clock.now);
  assert.deepEqual(await wall.db.read.selectFrom('carry_parts').selectAll().execute(), []);
  assert.deepEqual(await wall.db.read.selectFrom('carries').selectAll().execute(), []);
});

onWall('continues after a crash with the next part', async (wall) => {
  const anna = await register(wall);
  await wall.db.tx(async ({ db }) => {
    const row = { user_id: Number(anna.id), text: 'запись', created_at: wall.clock.now };
    await db
      .insertInto('all_posts')
      .values(Array.from({ length: 2_100 }, () => row))
      .execute();
  });
  const id = await asked(wall, anna);
  const killed = new AbortController();
  const run = { key: id, payload: null, now: wall.clock.now, signal: killed.signal, tx: wall.db.tx };
  const untilFirstPart: typeof run.tx = async (work) => {
    const done = await wall.db.tx(work);
    killed.abort();
    return done;
  };
  await assert.rejects(makeCarry(wall.db, { ...run, tx: untilFirstPart }), { name: 'AbortError' });
  const [{ state, done }] = (await listed(anna)) as [Carry];
  assert.deepEqual([state, done], ['making', 1_000]);
  await makeCarry(wall.db, { ...run, signal: new AbortController().signal });
  const [carried] = (await listed(anna)) as [Carry];
  assert.deepEqual([carried.state, carried.done], ['ready', 2_100]);
  const { posts } = await read(wall, carried);
  assert.equal(new Set(posts.map((post) => post.id)).size, 2_100);
});

onWall('comes in a letter once a month to those who want it, with a link if the file is large', async (wall) => {
  wall.clock.now = tuesday;
  const owner = await registerModerator(wall, 'owner');
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  await publish(boris, 'Запись о лифте');
  const offered = async (person: Member) =>
    (await person.send('GET', '/users/current/notification-settings')).json().file_monthly;
  for (const person of [owner, anna]) await choose(person, 'off', { file_monthly: true });
  assert.equal(await offered(anna), undefined);
  assert.deepEqual(await lettersNow(wall, anna), [], 'no owner wants it');
  wall.clock.now += 60;
  await owner.send('PUT', '/keep/settings', { carry_letters: true });
  assert.deepEqual([await offered(anna), await offered(clara)], [true, false]);
  assert.deepEqual(await lettersNow(wall, anna), [], 'the file is made first');
  wall.clock.now += 60;
  const [letter, ...others] = await lettersNow(wall, anna);
  assert.deepEqual(others, []);
  assert.match(letter!.source, /\r\nList-Id: <file\./i);
  assert.match(letter!.source, /filename=stena-2023-11-14\.html/);
  const encoded = /\r\n\r\n([\w+/=\r\n]{10000,})/.exec(letter!.source)![1]!;
  const { texts } = carriedIn(Buffer.from(encoded, 'base64').toString());
  assert.deepEqual(texts, ['Запись о лифте']);
  wall.clock.now += 10 * day;
  assert.deepEqual(await lettersNow(wall, anna), [], 'once a month');

  // The first of December, 6:00 UTC.
  wall.clock.now = tuesday - 3_600 + 17 * day;
  await lettersNow(wall, anna);
  const [made] = await wall.db.read.selectFrom('carries').select('id').orderBy('made_at', 'desc').limit(1).execute();
  const large = { carry_id: made!.id, no: 1, part: 'A'.repeat(5_000_000) };
  await wall.db.tx(({ db }) => db.insertInto('carry_parts').values(large).execute());
  await close(owner);
  wall.clock.now += 60;
  const [linked, ...more] = await lettersNow(wall, owner);
  const toAnna = wall.mail.received.filter(({ to, source }) => to.includes(anna.email) && /^List-Id/im.test(source));
  assert.deepEqual([more.length, toAnna.length], [0, 1], 'of a closed wall only owners get the file');
  assert.ok(linked!.source.length < 20_000);
  assert.match(linked!.text, new RegExp(`Скачать файл: https://wall\\.example/carried/${made!.id}\r?\n`));
  assert.deepEqual([await offered(anna), await offered(owner)], [undefined, true]);
});

for (const engine of engines) {
  test(`the command writes the file, of all years or of one, and nothing if it fails on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const { storage, db } = fresh;
    const at = Date.UTC(2025, 11, 31, 23) / 1_000;
    const author = await db.tx((tx) => createUser(tx, { username: 'anna', now: at }));
    for (const [text, createdAt] of [
      ['Старая', at],
      ['Новая', at + 3_600],
    ] as const) {
      await db.tx((tx) => createPost(tx, { userId: author, text, now: createdAt }));
    }
    const file = join(storage.dataDir, 'wall.html');
    const run = (...args: string[]) => runCommand('server/commands/carry/main.ts', storage, args);
    for (const [year, texts] of [
      [[], ['Новая', 'Старая']],
      [['--year', '2025'], ['Старая']],
    ] as const) {
      outputOf(await run(file, ...year), year);
      assert.deepEqual(carriedIn(await readFile(file, 'utf8')).texts, texts);
    }
    assert.match(errorOf(await run(file, '--year', '25'), []), /^Команда пишется так: /);
    errorOf(await run(join(storage.dataDir, 'missing', 'wall.html')), []);
    assert.deepEqual(
      (await readdir(storage.dataDir)).filter((name) => name.startsWith('wall')),
      ['wall.html'],
    );
  });
}

test('a file has 300,000 posts at most', () => {
  assert.equal(tooMany(300_000), undefined);
  assert.match(tooMany(300_001)!, /по годам/);
});
