import assert from 'node:assert/strict';
import { confirm, registerModerator } from '../../../test/kit/desk.ts';
import { codeOf, registerInvited, setMode, allowInviting } from '../../../test/kit/invitations.ts';
import { deleteAccount, type Member, publish, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { schedule } from '../../db/job-queue.ts';
import { skeletonOf } from '../../names/skeleton.ts';
import { writeHistory } from '../posts/write-history.ts';

async function change(member: Member, body: object): Promise<{ is_namesake?: true }> {
  const changed = await member.send('PATCH', '/users/current/profile', body);
  assert.equal(changed.statusCode, 200, changed.body);
  return changed.json();
}

const takes = async (member: Member, name: string | null) =>
  (await change(member, { display_name: name })).is_namesake ?? false;
const isNamesake = async (member: Member) => (await member.send('GET', '/users/current')).json().is_namesake ?? false;

/** The marks of a person, wherever a response has the person. */
function marksIn(value: unknown, username: string): unknown[] {
  if (value === null || typeof value !== 'object') return [];
  const own = 'display_name' in value && 'username' in value && value.username === username;
  const inside = Object.values(value).flatMap((part) => marksIn(part, username));
  return own ? [(value as { is_namesake?: true }).is_namesake, ...inside] : inside;
}

/** Asserts that a recount finds no difference in what is stored about names. */
async function assertCompared({ db }: Pick<Wall, 'db'>): Promise<void> {
  const differences = await Array.fromAsync(recount(db.read));
  assert.deepEqual(differences, []);
}

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'namesakes:');

onWall('the second one is marked wherever people are shown, also where responses are cached', async (wall) => {
  const [first, second, reader] = [await register(wall), await register(wall), await registerModerator(wall, 'owner')];
  await confirm(wall, reader);
  for (const [member, username] of [
    [first, 'first_one'],
    [second, 'second_one'],
  ] as const) {
    await change(member, { username });
    member.username = username;
  }
  const post = await publish(second, 'Вопрос');
  await publish(second, 'Сам отвечу', `/posts/${post.id}/replies`);
  const reply = await publish(reader, 'Ответ', `/posts/${post.id}/replies`);
  await setMode(wall, 'members');
  await allowInviting(wall, second);
  await second.send('PUT', `/users/current/mutes/${first.id}`);
  await reader.send('PUT', `/users/current/mutes/${second.id}`);
  const code = await codeOf(second);
  const guest = await registerInvited(wall, code);
  await reader.send('POST', `/posts/${post.id}/reports?reason_id=spam`);
  const paths = [
    '/posts',
    '/posts/discussed',
    `/posts/${post.id}`,
    `/posts/${reply.id}`,
    `/posts/${post.id}/thread`,
    `/posts/${reply.id}/thread`,
    `/posts/search?q=${encodeURIComponent('вопрос')}`,
    '/users/current/mutes',
    `/users/${second.username}`,
    `/invitations/${await codeOf(second)}`,
    `/moderation/people/${guest.username}/branch`,
    `/moderation/people/${second.username}`,
    '/moderation/reports',
  ];
  const asked: Array<[Member, string]> = [
    ...paths.map((path): [Member, string] => [reader, path]),
    // The reader has muted the one who is looked for.
    [guest, `/users/suggestions?q=${second.username}`],
    [guest, `/users/suggestions?q=&post_id=${post.id}`],
  ];
  const marks = async () =>
    new Set(
      (await Promise.all(asked.map(([by, path]) => by.send('GET', path)))).flatMap((response) => {
        const found = marksIn(response.json(), second.username);
        assert.ok(found.length > 0, `${response.raw.req.url} ${response.body}`);
        return found;
      }),
    );
  assert.equal(await takes(first, 'Роман'), false);
  assert.deepEqual(await marks(), new Set([undefined]));
  assert.equal(await takes(second, 'POMAH'), true);
  assert.deepEqual(await marks(), new Set([true]));
  assert.equal((await publish(second, 'Ещё')).owner.is_namesake, true);
  const answer = await publish(reader, 'И ещё', `/posts/${post.id}/replies`);
  assert.equal(answer.actions.replied_post?.owner.is_namesake, true);
  assert.deepEqual(
    new Set(marksIn((await second.send('GET', '/users/current/mutes')).json(), first.username)),
    new Set([undefined]),
  );
  assert.equal(await takes(second, 'Роман Второй'), false);
  assert.deepEqual(await marks(), new Set([undefined]));
});

onWall(
  'who had the name first stays unmarked, also after saving it again, and the other one until the name changes',
  async (wall) => {
    const [first, second, third] = [await register(wall), await register(wall), await register(wall)];
    assert.equal(await takes(first, 'Мария'), false);
    assert.equal(await takes(second, 'мария'), true);
    assert.deepEqual(
      [await takes(first, 'Мария'), await takes(first, 'МАРИЯ'), await takes(second, 'Мария')],
      [false, false, true],
    );
    await change(first, { about: 'Пеку хлеб' });
    assert.equal(await isNamesake(first), false);
    assert.equal(await takes(first, 'Маша'), false);
    assert.equal(await isNamesake(second), true);
    assert.equal(await takes(third, 'Мария!'), true);
    assert.equal(await takes(first, 'Мария'), true);
    assert.deepEqual([await takes(second, 'Марина'), await takes(second, null)], [false, false]);
    await assertCompared(wall);
  },
);

onWall('a username that is shown is a name as well, and shows itself', async (wall) => {
  const [first, second, third] = [await register(wall), await register(wall), await register(wall)];
  await change(first, { username: 'anna_petrova' });
  assert.equal(await takes(second, 'Anna Petrova'), true);
  assert.equal(await takes(first, 'Anna Petrova'), false);

  assert.equal(await takes(second, 'Boris K'), false);
  assert.equal((await change(third, { username: 'boris_k' })).is_namesake, undefined);
  assert.equal((await wall.get('/api/v1/users/boris_k')).json.is_namesake, undefined);
  assert.equal(await takes(third, 'Boris-K'), true);
  assert.equal((await change(third, { username: 'clara', display_name: 'Клара' })).is_namesake, undefined);
  await assertCompared(wall);
});

onWall(
  'a display name that is or mentions the username of somebody else is marked, however it looked before',
  async (wall) => {
    const [galina, other] = [await register(wall), await register(wall)];
    await change(galina, { username: 'galina_p', display_name: 'Галина Петровна' });
    for (const name of ['galina_p', '@Galina_P', 'Галина (＠galina_p)']) {
      assert.deepEqual([await takes(galina, name), await takes(galina, 'Галина Петровна')], [false, false]);
      assert.deepEqual([await takes(other, name), await takes(other, 'Вера')], [true, false], name);
    }
    assert.deepEqual([await takes(other, 'galina p'), await takes(other, 'galina_p')], [false, true]);
    await assertCompared(wall);
  },
);

onWall('of people who take a name at the same moment all but one are marked', async (wall) => {
  const people = await Promise.all(Array.from({ length: 5 }, () => register(wall)));
  for (const name of ['Пётр', 'Павел', 'Илья', 'Анна']) {
    const marks = await Promise.all(people.map((person) => takes(person, name)));
    assert.equal(marks.filter((mark) => !mark).length, 1, name);
  }
  await assertCompared(wall);
});

onWall('a deleted account leaves its name to others', async (wall) => {
  const [first, second] = [await register(wall), await register(wall)];
  await takes(first, 'Анна');
  await deleteAccount(wall, first);
  assert.equal(await takes(second, 'Анна'), false);
  await assertCompared(wall);
});

onWall(
  'people who come by an import have their names after those who are there and in the order of the import',
  async (wall) => {
    const here = await register(wall);
    await takes(here, 'Анна');
    const names = ['Анна', 'Борис', 'БОРИС', null];
    const people = names.map((displayName, i) => ({
      id: 9_001 + i,
      username: displayName === null ? 'boris' : `imported_${i}`,
      displayName,
      face: null,
      email: `imported ${i}`,
      createdAt: 1,
      newcomerUntil: null,
    }));
    await wall.db.tx((tx) => writeHistory(tx, { people, posts: [], likes: [] }));
    const shown = await Promise.all(people.map(({ username }) => wall.get(`/api/v1/users/${username}`)));
    assert.deepEqual(
      shown.map(({ json }) => json.is_namesake),
      [true, undefined, true, undefined],
    );
    assert.equal(await isNamesake(here), false);
    await assertCompared(wall);
  },
);

onWall('names of an earlier version are compared by a job, the older account first', async (wall) => {
  const people = await Promise.all(Array.from({ length: 3 }, () => register(wall)));
  const [first, second, third] = people.toSorted((a, b) => Number(a.id) - Number(b.id)) as [Member, Member, Member];
  for (const person of [third, second, first]) await takes(person, 'Анна');
  await publish(third, 'Привет');
  await publish(first, 'Привет');
  const marks = async () => [await isNamesake(first), await isNamesake(second), await isNamesake(third)];
  const shown = async () =>
    (await wall.get('/api/v1/posts')).json.posts.map(
      (post: { owner: { is_namesake?: true } }) => post.owner.is_namesake,
    );
  assert.deepEqual(await marks(), [true, true, false]);
  await wall.db.tx(async (tx) => {
    await tx.db.updateTable('users').set({ name_skeleton: null, is_namesake: 0 }).execute();
    tx.touch('feed');
  });
  assert.deepEqual(await shown(), [undefined, undefined]);
  // The response is cached when it has been asked for twice.
  assert.deepEqual(await shown(), [undefined, undefined]);
  await wall.db.tx((tx) => schedule(tx, { name: 'compare-names', at: 0 }));
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await marks(), [false, true, true]);
  assert.deepEqual(await shown(), [undefined, true]);
  await assertCompared(wall);
});

onWall(
  'names that an earlier program compared and stored otherwise are mended by a job, and keep their marks',
  async (wall) => {
    const liar = await register(wall);
    const [first, blank, handle] = [await register(wall), await register(wall), await register(wall)];
    await change(first, { username: 'galina_p', display_name: 'Галина' });
    await publish(liar, 'Привет');
    const stored = async (member: Member, name: string, skeleton: string) =>
      wall.db.tx((tx) =>
        tx.db
          .updateTable('users')
          .set({ display_name: name, display_key: name, name_skeleton: skeleton })
          .where('id', '=', Number(member.id))
          .execute(),
      );
    await stored(liar, 'Гал\u2800ина', 'гал\u2800ина');
    await stored(blank, '\u{1d159}', '\u{1d159}');
    await stored(handle, '@galina_p', skeletonOf('@galina_p'));
    await wall.db.tx((tx) => schedule(tx, { name: 'compare-names', at: 0 }));
    await runJobs(wall.db, wall.clock.now);
    const shown = async (member: Member) => {
      const { display_name: name, is_namesake: isMarked } = (await member.send('GET', '/users/current')).json();
      return [name, isMarked];
    };
    assert.deepEqual(await Promise.all([liar, first, blank, handle].map(shown)), [
      ['Галина', true],
      ['Галина', undefined],
      [null, undefined],
      ['@galina_p', true],
    ]);
    assert.equal((await wall.get('/api/v1/posts')).json.posts[0].owner.is_namesake, true);
    await assertCompared(wall);
  },
);

onWall(
  'whoever types a name reads that it is taken, with another one, and the username that it gives',
  async (wall) => {
    const [first, second] = [await register(wall), await register(wall)];
    const check = async (member: Member, name: string) =>
      (await member.send('GET', `/users/current/name?${new URLSearchParams({ display_name: name })}`)).json();
    assert.deepEqual(await check(first, 'Катя'), { is_taken: false, suggestion: null, username: 'katya' });
    await change(first, { display_name: 'Катя' });
    assert.deepEqual(await check(first, ' катя'), { is_taken: false, suggestion: null, username: null }, 'their own');
    assert.deepEqual(await check(second, 'КАТЯ'), { is_taken: true, suggestion: 'КАТЯ 2', username: 'katya_2' });
    await change(second, { display_name: 'Катя 2' });
    const third = await register(wall);
    assert.deepEqual(await check(third, 'Катя'), { is_taken: true, suggestion: 'Катя 3', username: 'katya_3' });
    assert.equal(await takes(third, 'Катя'), true, 'saving it as it is remains possible');
    assert.deepEqual(await check(third, ' '), { is_taken: false, suggestion: null, username: null });
    const refused = await third.send(
      'GET',
      `/users/current/name?${new URLSearchParams({ display_name: 'а'.repeat(33) })}`,
    );
    assert.deepEqual([refused.statusCode, refused.json().code], [400, 'INVALID_REQUEST']);
  },
);
