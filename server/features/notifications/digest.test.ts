import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { allMailsSent, choose, day, lettersNow, subscriber, tuesday } from '../../../test/kit/digest.ts';
import {
  deleteAccount,
  type Member,
  publish,
  register,
  startEmailChange,
  verifyEmailChange,
} from '../../../test/kit/member.ts';
import { removePost } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import { blockUser } from '../moderation/moderation-store.ts';
import { claimSubscribers } from './digest-store.ts';
import { readingCost } from '../../../test/kit/processor-time.ts';

const settings = { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: String(90 * day), PUBLIC_URL: 'https://wall.example' };

const onWall = onWalls(settings);

const replyTo = (by: Member, { postId }: { postId: string }, text: string) =>
  publish(by, text, `/posts/${postId}/replies`);

/** Which of these people got a letter. */
function reachedOf({ mail }: Wall, people: ReadonlyArray<{ email: string }>): string[] {
  const letters = mail.received.filter(({ text }) => text.includes('/unsubscribe?token='));
  return letters.flatMap(({ to }) => to).filter((to) => people.some(({ email }) => email === to));
}

onWall('letters with notifications contain what is unread, with its authors and links', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris] = [await subscriber(wall), await register(wall)];
  const other = await register(wall);
  for (const person of [boris, other]) {
    const named = await person.send('PATCH', '/users/current/profile', { display_name: 'Борис' });
    person.username = named.json().username;
  }
  const ids: string[] = [];
  for (let i = 1; i <= 7; i += 1)
    ids.push(
      (await replyTo(i === 7 ? other : boris, anna, `ответ ${i} <b>& другое</b>\nвторая строка ${'слово '.repeat(60)}`))
        .id,
    );
  wall.clock.now += day;
  const [letter, ...others] = await lettersNow(wall, anna);
  assert.deepEqual(others, []);
  const { text, source } = letter!;
  assert.match(text, /^Пока вас не было:\n\n> Вы: запись\n\nБорис, 14 нояб\., 07:00 UTC:\nответ 1 /);
  assert.equal(text.match(/> Вы/g)?.length, 1, 'what they answer is quoted once');
  assert.equal(text.match(/\nответ \d <b>& другое<\/b>\nвторая строка (слово ?){60}\n/g)?.length, 7, 'whole texts');
  // Another person already had this name, so the username is shown beside it.
  assert.match(text, new RegExp(`\\nБорис @${other.username}, .* UTC:\nответ 7 `));
  assert.deepEqual(
    [...text.matchAll(/^Ответить: https:\/\/wall\.example\/posts\/(\d+)$/gm)].map(([, id]) => id),
    ids,
  );
  assert.ok(text.includes(`Открыть обсуждение: https://wall.example/posts/${anna.postId}\n`));
  for (const path of ['/notifications', '/settings/notifications', '/unsubscribe\\?token=\\S+']) {
    assert.match(text, new RegExp(`: https://wall\\.example${path}$`, 'm'));
  }
  const headers = source.slice(0, source.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  assert.match(headers, /^List-Unsubscribe: <https:\/\/wall\.example\/unsubscribe\?token=[\w.-]+>$/m);
  assert.match(headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  assert.match(headers, /^To: \S+@example\.org$/m);
  const html = Buffer.from(/text\/html[^]*?\r\n\r\n([^]*?)\r\n--/.exec(source)![1]!, 'base64').toString();
  assert.ok(html.includes('&lt;b&gt;&amp; другое&lt;/b&gt;') || /=D0=BE/.test(source), 'the text is escaped');
});

onWall('letters with notifications tell once of posts that moderators have removed, with the reason', async (wall) => {
  wall.clock.now = tuesday;
  const anna = await subscriber(wall);
  const { id } = await publish(anna, 'Продам гараж');
  await removePost(wall, id, 'Реклама');
  wall.clock.now += day;
  const [letter, ...others] = await lettersNow(wall, anna);
  assert.deepEqual(others, []);
  assert.match(
    letter!.text.replaceAll('\r', ''),
    /^Пока вас не было:\n\nУбрано со стены теми, кто её ведёт\. Причина: Реклама\nПродам гараж\nhttps:\/\/wall\.example\/notifications\n/,
  );
  wall.clock.now += day;
  assert.deepEqual(await lettersNow(wall, anna), []);
  await removePost(wall, anna.postId, 'Тоже');
  wall.clock.now += day;
  assert.match((await lettersNow(wall, anna))[0]!.text, /Причина: Тоже[^]*Причина: Реклама/);
  await removePost(wall, (await publish(anna, 'Третья')).id, 'Увидит сама');
  await anna.send('PUT', '/users/current/notifications/read', { up_to: id });
  await removePost(wall, (await publish(anna, 'Четвёртая')).id, 'Увидит сама');
  const seen = (await anna.send('GET', '/posts/removed')).json().posts[0].id;
  await anna.send('PUT', '/users/current/notifications/read', { up_to: seen });
  wall.clock.now += day;
  assert.deepEqual(await lettersNow(wall, anna), []);
});

onWall(
  'letters with notifications come once a day, only with something new, and not to those who were here',
  async (wall) => {
    wall.clock.now = tuesday;
    const [anna, boris] = [await subscriber(wall), await register(wall)];
    const letters = async () => (await lettersNow(wall, anna)).length;
    await replyTo(boris, anna, 'первый');
    assert.equal(await letters(), 0, 'she was here today');
    wall.clock.now += day;
    assert.equal(await letters(), 1);
    wall.clock.now += 3_600;
    await replyTo(boris, anna, 'второй');
    assert.equal(await letters(), 0, 'one a day');
    wall.clock.now += day - 3_600 - 3_601;
    assert.equal(await letters(), 0, 'not before 6:00 UTC');
    // The job runs once a minute.
    wall.clock.now += 60;
    assert.equal(await letters(), 1);
    wall.clock.now += day;
    assert.equal(await letters(), 0, 'nothing new since, although it is unread');
    await replyTo(boris, anna, 'третий');
    await anna.send('PATCH', '/sessions/current', { clientToken: anna.clientToken });
    wall.clock.now += day - 1;
    assert.equal(await letters(), 0, 'she was here within a day');
    wall.clock.now += day;
    assert.equal(await letters(), 1);
    const { id } = await replyTo(boris, anna, 'четвёртый');
    await anna.send('PUT', '/users/current/notifications/read', { up_to: id });
    wall.clock.now += day;
    assert.equal(await letters(), 0, 'all is read');
    await replyTo(boris, anna, 'пятый');
    wall.clock.now += 5 * day;
    assert.equal(await letters(), 1, 'one for several days');
  },
);

onWall('letters with notifications tell of the new posts of followed authors', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris, vera] = [await subscriber(wall), await register(wall), await register(wall)];
  await publish(boris, 'до того');
  await anna.send('PUT', `/users/${boris.id}/follow`);
  const { id } = await publish(boris, 'Новое от Бориса');
  await publish(boris, 'Ответ Бориса', `/posts/${id}/replies`);
  await publish(vera, 'Чужое');
  wall.clock.now += day;
  const [letter, ...others] = await lettersNow(wall, anna);
  assert.deepEqual(others, []);
  assert.match(
    letter!.text.replaceAll('\r', ''),
    new RegExp(
      `^Пока вас не было:\n\nУчастник без имени, новая запись, .* UTC:\nНовое от Бориса\nОтветить: https:\\S+/posts/${id}\n\nВсе`,
    ),
  );
  wall.clock.now += day;
  assert.deepEqual(await lettersNow(wall, anna), []);
  await anna.send('DELETE', `/users/${boris.id}/follow`);
  await publish(boris, 'После');
  wall.clock.now += day;
  assert.deepEqual(await lettersNow(wall, anna), []);
});

onWall('a letter with notifications that was given up has told nothing, so the next one does', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris] = [await subscriber(wall), await register(wall)];
  await replyTo(boris, anna, 'первый');
  await removePost(wall, (await publish(anna, 'Продам гараж')).id, 'Реклама');
  wall.clock.now += day;
  wall.mail.refuse(() => 451);
  await runJobs(wall.db, wall.clock.now);
  const tried = wall.db.read.selectFrom('outbox').select('id').where('state', '=', 'delayed').where('kind', '=', 3);
  while (!(await tried.executeTakeFirst())) await pause(10);
  wall.clock.now += 9 * day;
  wall.mail.refuse(undefined);
  const [letter, ...others] = await lettersNow(wall, anna);
  assert.match(letter!.text, /Причина: Реклама[^]*первый/);
  assert.deepEqual(others, []);
  wall.clock.now += day;
  assert.deepEqual(await lettersNow(wall, anna), []);
});

const onSmallMailbox = onWalls({ ...settings, LETTERS_PER_DAY: '3' });

onSmallMailbox('a letter with notifications that had no room tells of everything when it has, once', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris] = [await subscriber(wall), await register(wall)];
  await replyTo(boris, anna, 'первый');
  wall.clock.now += day;
  await runJobs(wall.db, wall.clock.now);
  const { email } = boris;
  assert.equal((await openBrowser(wall).start('logins', email)).statusCode, 201);
  await wall.mail.codeTo(email);
  assert.deepEqual(reachedOf(wall, [anna]), [], 'only the code had room');
  await replyTo(boris, anna, 'второй');
  wall.clock.now += 3_600;
  const [letter, ...others] = await lettersNow(wall, anna);
  assert.match(letter!.text, /первый[^]*второй/);
  assert.deepEqual(others, []);
  wall.clock.now += day;
  assert.deepEqual(await lettersNow(wall, anna), []);
});

onWall('letters with notifications come once a week, on Mondays', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris] = [await subscriber(wall, 'weekly'), await register(wall)];
  await replyTo(boris, anna, 'первый');
  const sent: number[] = [];
  for (let i = 0; i < 14; i += 1) {
    if ((await lettersNow(wall, anna)).length > 0) sent.push(i);
    await replyTo(boris, anna, `ещё ${i}`);
    wall.clock.now += day;
  }
  assert.deepEqual(sent, [6, 13]);
  await choose(anna, 'daily');
  wall.clock.now -= day;
  assert.equal((await lettersNow(wall, anna)).length, 0, 'the daily letter of that Monday is the same one');
});

onWall(
  'letters with notifications do not go to others, nor contain authors who are muted or posts that are gone',
  async (wall) => {
    wall.clock.now = tuesday;
    const [off, blocked, deleted, muting, bereft, plain] = [
      await subscriber(wall),
      await subscriber(wall),
      await subscriber(wall),
      await subscriber(wall),
      await subscriber(wall),
      await subscriber(wall),
    ];
    const people = [off, blocked, deleted, muting, bereft, plain];
    const boris = await register(wall);
    const replies = new Map<Member, string>();
    for (const person of people) replies.set(person, (await replyTo(boris, person, 'ответ')).id);
    await choose(off, 'off');
    await wall.db.tx((tx) => blockUser(tx, Number(blocked.id), 'спам', wall.clock.now));
    await deleteAccount(wall, deleted);
    assert.equal((await muting.send('PUT', `/users/current/mutes/${boris.id}`)).statusCode, 204);
    await removePost(wall, replies.get(bereft)!);
    // The job of the deletion ends before the clock moves: another runner would take over a job whose lock has expired.
    await runJobs(wall.db, wall.clock.now);
    wall.clock.now += 2 * day;
    await runJobs(wall.db, wall.clock.now);
    await allMailsSent(wall);
    assert.deepEqual(reachedOf(wall, people), [plain.email]);
  },
);

onWall('letters with notifications go to the current address, with what is unread when they are sent', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris, clara] = [await subscriber(wall), await subscriber(wall), await subscriber(wall)];
  const author = await register(wall);
  await replyTo(author, anna, 'для Анны');
  await replyTo(author, boris, 'для Бориса');
  const { id } = await replyTo(author, clara, 'для Клары');
  wall.clock.now += 2 * day;
  wall.mail.refuse(() => 451);
  await runJobs(wall.db, wall.clock.now);
  const tried = wall.db.read.selectFrom('outbox').select('id').where('state', '=', 'delayed');
  while ((await tried.execute()).length < 3) await pause(10);
  const queued = await wall.db.read.selectFrom('outbox').select('sealed').execute();
  for (const { sealed } of queued) assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString(), /digest|для/);
  wall.mail.refuse(undefined);
  const next = newAddress();
  const started = await startEmailChange(anna, next);
  assert.equal(started.statusCode, 201, started.body);
  await verifyEmailChange(anna, started.json().id, await wall.mail.codeTo(next));
  await choose(boris, 'off');
  await clara.send('PUT', '/users/current/notifications/read', { up_to: id });
  wall.clock.now += 5;
  await allMailsSent(wall);
  assert.deepEqual(reachedOf(wall, [anna, boris, clara, { email: next }]), [next]);
});

onWall('letters with notifications cost no more when many people want none', async (wall) => {
  wall.clock.now = tuesday;
  const anna = await subscriber(wall);
  wall.clock.now += 2 * day;
  const costOf = (letter: 'weekly' | 'best') =>
    readingCost(wall.db, (tx) => claimSubscribers(tx, letter, { now: wall.clock.now, limit: 50 }));
  const cost = async () => Math.max(await costOf('weekly'), await costOf('best'));
  const alone = await cost();
  await wall.db.tx(({ db }) => sql.raw(strangers[wall.db.engine]).execute(db));
  const among = await cost();
  assert.ok(among < 3 * alone + 8, `${among} against ${alone}`);
  const claimed = await wall.db.tx((tx) => claimSubscribers(tx, 'daily', { now: wall.clock.now, limit: 50 }));
  assert.deepEqual(
    claimed?.map(({ email }) => email),
    [anna.email],
  );
});

const strangers = {
  sqlite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
    insert into users (username, username_key, email, created_at) select 'p' || i, 'p' || i, 'p' || i || '@example.net', 1 from n`,
  postgres: `insert into users (username, username_key, email, created_at)
    select 'p' || i, 'p' || i, 'p' || i || '@example.net', 1 from generate_series(1, 20000) as n (i)`,
};
