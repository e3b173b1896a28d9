import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { close } from '../../../../test/kit/closed-wall.ts';
import { registerModerator } from '../../../../test/kit/desk.ts';
import { day, lettersNow, subscriber, tuesday } from '../../../../test/kit/digest.ts';
import { publish, putWord, register, replyTo } from '../../../../test/kit/member.ts';
import { removePost } from '../../../../test/kit/moderation.ts';
import { onWalls } from '../../../../test/kit/on-walls.ts';
import { runJobs } from '../../../../test/kit/run-jobs.ts';
import { headersOf } from '../../../../test/kit/strict-headers.ts';
import type { Wall } from '../../../../test/kit/wall.ts';
import { blockUser } from '../../moderation/moderation-store.ts';

const settings = { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: String(90 * day), PUBLIC_URL: 'https://wall.example' };

const onWall = onWalls(settings);

const textOf = ({ text }: { text: string }): string => text.replaceAll('\r', '');

/** A person who gets letters about answers at once, and no digest. */
const atOnce = (wall: Wall) => subscriber(wall, 'off', { replies_at_once: true });

onWall(
  'letters about answers come within minutes, one for a discussion, whole and with what they answer',
  async (wall) => {
    wall.clock.now = tuesday;
    const [anna, boris, clara] = [await atOnce(wall), await register(wall), await register(wall)];
    const other = (await publish(anna, 'Другая запись')).id;
    const long = `Звонила.\nОбещали к восьми ${'вечера '.repeat(65)}`.trim();
    const first = await replyTo(boris, anna.postId, long);
    await replyTo(clara, anna.postId, 'Я с тростью на шестом.');
    await replyTo(clara, first, 'Спасибо!');
    await replyTo(boris, other, 'В другом обсуждении');
    const letters = await lettersNow(wall, anna);
    assert.equal(letters.length, 2);
    const [letter] = letters.filter(({ text }) => text.includes('Звонила'));
    assert.equal(
      textOf(letter!)
        .split('\n\nВы получили')[0]!
        .replaceAll(/\d+ нояб\., 07:00 UTC/g, 'время'),
      [
        '> Вы: запись',
        `Участник без имени, время:\n${long}\nОтветить: https://wall.example/posts/${first}`,
        `Участник без имени, время:\nЯ с тростью на шестом.\nОтветить: https://wall.example/posts/${Number(first) + 1}`,
        `> Участник без имени: ${long.replace(/^/gm, '> ').slice(2)}`,
        `Участник без имени, в обсуждении, за которым вы следите, время:\nСпасибо!\nОтветить: https://wall.example/posts/${Number(first) + 2}`,
        `Открыть обсуждение: https://wall.example/posts/${anna.postId}`,
      ].join('\n\n'),
    );
    assert.match(
      textOf(letter!),
      /\n\nВы получили это письмо, потому что вам ответили\.\nНе присылать такие письма: https:/,
    );
    const headers = headersOf(letter!.source);
    assert.equal(headers.subject, 'запись — Стена');
    assert.match(headers['in-reply-to']!, new RegExp(`^<discussion-${anna.postId}@[\\w.-]+>$`));
    assert.equal(headers.references, headers['in-reply-to']);
    assert.equal(headers['list-id'], '<answers.wall.example>');
    assert.notEqual(headers['message-id'], headers.references);

    await replyTo(boris, anna.postId, 'Починили');
    wall.clock.now += 119;
    assert.deepEqual(await lettersNow(wall, anna), [], 'two minutes between letters');
    wall.clock.now += 60;
    const [next, ...more] = await lettersNow(wall, anna);
    assert.deepEqual(more, []);
    assert.match(textOf(next!), /Починили/);
    assert.doesNotMatch(textOf(next!), /тростью/, 'told once');
    const again = headersOf(next!.source);
    assert.deepEqual([again.subject, again.references], [headers.subject, headers.references], 'one conversation');

    const seen = await replyTo(boris, anna.postId, 'Увидит на стене');
    await anna.send('PUT', '/users/current/notifications/read', { up_to: seen });
    wall.clock.now += 180;
    assert.deepEqual(await lettersNow(wall, anna), []);
    wall.clock.now += 2 * day;
    assert.deepEqual(await lettersNow(wall, anna), [], 'the daily letter has nothing to add');
  },
);

onWall('thirty letters about answers a day; the daily letter tells of the others', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris] = [await atOnce(wall), await register(wall)];
  for (let i = 0; i < 31; i += 1) await replyTo(boris, (await publish(anna, `Запись ${i}`)).id, `Ответ номер ${i}.`);
  const told = (await lettersNow(wall, anna)).map((letter) => /Ответ номер \d+\./.exec(textOf(letter))![0]);
  assert.equal(new Set(told).size, 30);
  wall.clock.now += 180;
  assert.deepEqual(await lettersNow(wall, anna), []);
  wall.clock.now += day;
  const [rest, ...others] = await lettersNow(wall, anna);
  assert.deepEqual(others, []);
  const [untold] = /Ответ номер \d+\./.exec(textOf(rest!))!;
  assert.ok(!told.includes(untold));
  assert.equal(textOf(rest!).match(/Ответ номер/g)?.length, 1);
});

onWall('what a letter about answers could not tell is in the daily letter', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris] = [await atOnce(wall), await register(wall)];
  await replyTo(boris, anna.postId, 'Первый');
  wall.mail.refuse(() => 451);
  await runJobs(wall.db, wall.clock.now);
  const tried = wall.db.read.selectFrom('outbox').select('id').where('state', '=', 'delayed').where('kind', '=', 2);
  while (!(await tried.executeTakeFirst())) await pause(10);
  wall.clock.now += 2 * day;
  wall.mail.refuse(undefined);
  const [letter, ...others] = await lettersNow(wall, anna);
  assert.match(textOf(letter!), /^Пока вас не было:[^]*Первый/);
  assert.deepEqual(others, []);
});

onWall(
  'letters about answers end by their own link, and leave out who is muted or blocked, and what is gone',
  async (wall) => {
    wall.clock.now = tuesday;
    const [anna, boris, muted, blocked] = [
      await subscriber(wall, 'daily', { replies_at_once: true }),
      await register(wall),
      await register(wall),
      await register(wall),
    ];
    await anna.send('PUT', `/users/current/mutes/${muted.id}`);
    await replyTo(muted, anna.postId, 'От скрытого');
    const byBlocked = await replyTo(blocked, anna.postId, 'От заблокированного');
    await removePost(wall, await replyTo(boris, anna.postId, 'Убранное'));
    const withdrawn = await replyTo(boris, anna.postId, 'Отозванное');
    await boris.send('DELETE', `/posts/${withdrawn}`);
    await replyTo(boris, byBlocked, 'Ответ заблокированному');
    await wall.db.tx((tx) => blockUser(tx, Number(blocked.id), 'спам', wall.clock.now));
    const [letter] = await lettersNow(wall, anna);
    assert.match(textOf(letter!), /^Участник без имени, в обсуждении, .*:\nОтвет заблокированному\n/);
    assert.doesNotMatch(textOf(letter!), /скрытого|От заблок|Убранное|Отозванное/);

    const link = /Не присылать такие письма: https:\/\/wall\.example(\S+)/.exec(textOf(letter!))![1]!;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const done = await wall.app.inject({ method: 'POST', url: link, headers, payload: 'List-Unsubscribe=One-Click' });
    assert.equal(done.statusCode, 200);
    const { digest, replies_at_once: isOn } = (await anna.send('GET', '/users/current/notification-settings')).json();
    assert.deepEqual([digest, isOn], ['daily', false]);
    await replyTo(boris, anna.postId, 'После');
    wall.clock.now += 180;
    assert.deepEqual(await lettersNow(wall, anna), []);
  },
);

onWall('the daily letter with the whole wall has new root posts with their replies, each once', async (wall) => {
  wall.clock.now = tuesday;
  const [boris, muted] = [await register(wall), await register(wall)];
  await publish(boris, 'До подписки');
  const anna = await subscriber(wall, 'off', { wall_daily: true });
  await anna.send('PUT', `/users/current/mutes/${muted.id}`);
  const { id } = await publish(boris, 'Лифт стоит');
  const answer = await replyTo(muted, id, 'От скрытого');
  await replyTo(boris, answer, 'Ответ скрытому');
  await publish(muted, 'Запись скрытого');
  await removePost(wall, (await publish(boris, 'Убранное')).id);
  const next = await replyTo(anna, id, 'Звоню');
  await replyTo(boris, next, 'Спасибо');
  wall.clock.now += day;
  const [letter, ...others] = await lettersNow(wall, anna);
  assert.deepEqual(others, []);
  assert.deepEqual(textOf(letter!).match(/^(Лифт стоит|Ответ скрытому|Звоню|Спасибо|запись)$/gm), [
    'запись',
    'Лифт стоит',
    'Ответ скрытому',
    'Звоню',
    'Спасибо',
  ]);
  assert.doesNotMatch(textOf(letter!), /До подписки|крытого|Убранное/);
  assert.match(textOf(letter!), /, отвечает: Участник без имени, [^\n]*:\nСпасибо\n/);
  assert.equal(headersOf(letter!.source)['list-id'], '<wall.wall.example>');
  wall.clock.now += day;
  assert.deepEqual(await lettersNow(wall, anna), []);
  for (let i = 0; i < 101; i += 1) await publish(boris, `Запись ${i} ${'<'.repeat(480)}`);
  wall.clock.now += day;
  const [long] = await lettersNow(wall, anna);
  assert.match(textOf(long!), /\nОстальное — на стене: https:\/\/wall\.example\/\n/);
  assert.ok(long!.source.length <= 100_000, `${long!.source.length} bytes`);
  wall.clock.now += day;
  assert.deepEqual(await lettersNow(wall, anna), [], 'the link has told of the rest');
});

onWall('letters name a followed word, and leave out posts with a hidden one, also what is answered', async (wall) => {
  wall.clock.now = tuesday;
  const boris = await register(wall);
  const [all, anna] = [await subscriber(wall, 'off', { wall_daily: true }), await subscriber(wall)];
  await putWord(anna, 'лифт');
  const root = (await publish(boris, 'Чиним лифты')).id;
  await publish(boris, 'Реклама лифта');
  const advert = await replyTo(boris, anna.postId, 'Только рекламу вешать');
  await replyTo(boris, advert, `Дорого, @${anna.username}?`);
  await replyTo(boris, root, 'Опять рекламу повесили');
  for (const person of [anna, all]) await putWord(person, 'реклама', 'hide');
  wall.clock.now += 7 * day;
  const [digest] = await lettersNow(wall, anna);
  assert.match(textOf(digest!), /, слово «лифт», [^\n]*:\nЧиним лифты\n/);
  assert.match(textOf(digest!), /Дорого/);
  const [whole] = wall.mail.received.filter(({ to, source }) => to.includes(all.email) && /^List-Id/im.test(source));
  assert.match(textOf(whole!), /Дорого[^]*Чиним лифты/);
  assert.doesNotMatch(textOf(digest!) + textOf(whole!), /[Рр]еклам[ау]/);
});

onWall('letters of a closed wall have posts only if an owner lets them', async (wall) => {
  wall.clock.now = tuesday;
  const [anna, boris] = [
    await subscriber(wall, 'off', { replies_at_once: true, wall_daily: true }),
    await register(wall),
  ];
  const owner = await registerModerator(wall, 'owner');
  await close(owner);
  const told = async (text: string): Promise<string> => {
    await replyTo(boris, anna.postId, text);
    wall.clock.now += day;
    return (await lettersNow(wall, anna)).map((letter) => letter.source + textOf(letter)).join('');
  };
  const without = await told('Секретный ответ');
  assert.match(without, /Участник без имени, [^\n]*:\nОтветить: https:/);
  assert.doesNotMatch(without, /Секретный|запись —|> Вы/);
  assert.equal((await owner.send('PUT', '/keep/settings', { letter_texts: true })).statusCode, 200);
  assert.match(await told('Открытый ответ'), /Открытый ответ/);
});
