import assert from 'node:assert/strict';
import { limits } from '#contract/limits.ts';
import {
  type Member,
  notificationsOf,
  notifiedOf,
  outcome,
  publish,
  putWord as put,
  register,
  removeWord,
  replyTo,
} from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'a word');

const wordsOf = async (by: Member) => (await by.send('GET', '/users/current/words')).json().words;
const edit = (by: Member, id: string, text: string) => outcome(by.send('PATCH', `/posts/${id}`, { text }));

onWall('is one word or a tag, twenty of each kind, and is put and removed any number of times', async (wall) => {
  const anna = await register(wall);
  for (const wrong of ['два слова', '!', '#', '#тег ещё', 'а'.repeat(33), ' лифт']) {
    assert.deepEqual(await put(anna, wrong), [400, 'INVALID_REQUEST'], wrong);
  }
  for (let again = 0; again < 2; again += 1) assert.deepEqual(await put(anna, 'Лифты'), [204]);
  assert.deepEqual(await put(anna, '#Двор', 'hide'), [204]);
  assert.deepEqual(await wordsOf(anna), [
    { word: '#двор', kind: 'hide' },
    { word: 'лифты', kind: 'follow' },
  ]);
  await put(anna, 'лифты', 'hide');
  assert.deepEqual(await put(anna, 'лифты', 'follow'), [204]);
  assert.equal((await wordsOf(anna))[1].kind, 'follow');
  const others = Array.from({ length: limits.words + 4 }, (_, i) => `слово${i}`);
  const outcomes = await Promise.all(others.map((word) => put(anna, word)));
  assert.equal(outcomes.filter(([status]) => status === 204).length, limits.words - 1);
  assert.deepEqual(await put(anna, 'ещё', 'hide'), [204], 'each kind has its own');
  for (let again = 0; again < 2; again += 1) assert.deepEqual(await removeWord(anna, 'ЛИФТЫ'), [204]);
  assert.deepEqual(await put(anna, 'велосипед'), [204]);
  assert.deepEqual(await wordsOf(await register(wall)), []);
});

onWall('tells of new posts, replies and edits with it, in any form, once, and never of one’s own', async (wall) => {
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  await put(anna, 'лифт');
  await put(anna, '#собрание');
  const root = await publish(boris, 'Чиним лифты');
  const reply = await replyTo(clara, root.id, 'Какого ЛИФТА?');
  const tagged = await publish(boris, 'Завтра #собрание');
  await publish(boris, 'Завтра собрание, лифтёр придёт');
  const later = await publish(boris, 'Что-то сломалось');
  assert.deepEqual(await edit(boris, later.id, 'Лифт сломался'), [200]);
  await edit(boris, later.id, 'Лифт снова сломался');
  await publish(anna, 'Мой лифт');
  const told = [later.id, tagged.id, reply, root.id];
  assert.deepEqual(
    await notifiedOf(anna),
    told.map((id) => [id, 'word']),
  );
  assert.deepEqual((await notificationsOf(anna)).words, ['лифт', '#собрание', 'лифт', 'лифт']);
  const { discussions } = (await anna.send('GET', '/users/current/following')).json();
  assert.deepEqual(
    discussions.map(({ post, reason }: { post: { id: string }; reason: string }) => [post.id, reason]),
    told.toSorted((a, b) => Number(b) - Number(a)).map((id) => [id, 'word']),
  );
  await removeWord(anna, 'лифт');
  await publish(boris, 'Лифт поехал');
  assert.equal((await notifiedOf(anna)).length, told.length);
});

onWall('is the weakest reason, and a hidden one the strongest', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  await put(anna, 'лифт');
  const own = await publish(anna, 'Запись');
  const answer = await replyTo(boris, own.id, 'Лифт стоит');
  assert.deepEqual(await notifiedOf(anna), [[answer, 'answer']]);
  assert.deepEqual((await notificationsOf(anna)).words, [null]);
  await put(anna, 'реклама', 'hide');
  await replyTo(boris, own.id, 'Рекламу про лифт');
  await publish(boris, `@${anna.username} реклама лифта`);
  assert.equal((await notifiedOf(anna)).length, 1);
  await anna.send('PUT', `/users/current/mutes/${boris.id}`);
  await publish(boris, 'Снова лифт');
  await anna.send('DELETE', `/users/current/mutes/${boris.id}`);
  assert.equal((await notifiedOf(anna)).length, 1, 'of a muted author');
});

onWall('with many followers is told by the job, each of them once', async (wall) => {
  const boris = await register(wall);
  const people: Member[] = [];
  for (let i = 0; i < 25; i += 1) people.push(await register(wall));
  for (const person of people) {
    await put(person, 'лифт');
    await put(person, 'дом');
  }
  const { id } = await publish(boris, 'Лифт в доме');
  await runJobs(wall.db, wall.clock.now);
  for (const person of people) assert.deepEqual(await notifiedOf(person), [[id, 'word']]);
});
