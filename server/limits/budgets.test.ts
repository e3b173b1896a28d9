import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import { registerModerator } from '../../test/kit/desk.ts';
import { type Member, outcome, publish, register, startEmailChange, verifyEmailChange } from '../../test/kit/member.ts';
import { type Browser, newAddress, openBrowser } from '../../test/kit/sign-in.ts';
import { type Wall } from '../../test/kit/wall.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

/** Concurrent requests for one budget. More would wait too long on a busy PostgreSQL. */
const together = 15;

/** The number of admitted requests. Every other response must say when to try again. */
async function letThrough(count: number, send: (i: number) => Promise<LightMyRequestResponse>): Promise<number> {
  const responses: LightMyRequestResponse[] = [];
  while (responses.length < count) {
    const from = responses.length;
    const some = Array.from({ length: Math.min(together, count - from) }, (_, i) => send(from + i));
    responses.push(...(await Promise.all(some)));
  }
  for (const { statusCode, headers, body } of responses) {
    if (statusCode !== 429) assert.ok(statusCode < 300, body);
    else assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60);
  }
  return responses.filter(({ statusCode }) => statusCode !== 429).length;
}

const check = (member: Member, name: string) => member.send('GET', `/users/${name}/validation`);

/** Everything that the specification lets a person do, from one address, as fast as it goes. */
async function everything(wall: Wall): Promise<void> {
  const people: Browser[] = [];
  const ip = '127.0.0.1';
  const signUp = async (): Promise<string> => {
    const email = newAddress();
    const browser = Object.assign(openBrowser(wall), { ip });
    assert.deepEqual(await outcome(browser.start('logins', email)), [400, 'USER_NOT_FOUND']);
    assert.equal((await browser.enter('registrations', email)).statusCode, 200);
    people.push(browser);
    return email;
  };
  const emails: string[] = [];
  for (let i = 0; i < 40; i += 1) emails.push(await signUp());
  const [anna, boris] = people as [Browser, Browser];

  const posts: string[] = [];
  for (let i = 0; i < 20; i += 1) posts.push((await publish(anna, `запись ${i}`)).id);
  for (const id of posts) await publish(anna, 'ответ', `/posts/${id}/replies`);
  for (let i = 0; i < 40; i += 1) {
    const edited = anna.send('PATCH', `/posts/${posts[i % 20]}`, { text: `изменена ${i}` });
    assert.deepEqual(await outcome(edited), [200]);
  }
  for (const method of ['POST', 'DELETE'] as const) {
    for (const id of posts) assert.deepEqual(await outcome(boris.send(method, `/posts/${id}/likes`)), [200]);
  }
  for (const id of posts) {
    assert.deepEqual(await outcome(boris.send('POST', `/posts/${id}/reports?reason_id=spam`)), [204]);
    assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${id}`)), [204]);
  }
  for (let i = 0; i < 10; i += 1) {
    assert.deepEqual(await outcome(anna.send('GET', `/users/anna_petrova_${i}/validation`)), [200]);
    const renamed = anna.send('PATCH', '/users/current/profile', { username: `anna_petrova_${i}` });
    assert.deepEqual(await outcome(renamed), [200]);
  }

  const taken = startEmailChange(anna, emails[1]!);
  assert.deepEqual(await outcome(taken), [400, 'EMAIL_ALREADY_EXISTS']);
  const email = newAddress();
  const { id } = (await startEmailChange(anna, email)).json();
  const changed = verifyEmailChange(anna, id, await wall.mail.codeTo(email));
  assert.deepEqual(await outcome(changed), [200]);

  const elsewhere = Object.assign(openBrowser(wall), { ip });
  await elsewhere.enter('logins', email);
  const { sessions } = (await anna.send('GET', '/sessions')).json();
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  assert.deepEqual(await outcome(anna.send('DELETE', `/sessions/${other.id}`)), [204]);
  for (const path of ['/sessions', '/sessions/current']) {
    assert.deepEqual(await outcome(anna.send('DELETE', path)), [204]);
  }
}

const onWall = onWalls({}, 'budgets of one person');

onWall('are exact for everything else a person does', async (wall) => {
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  const { id } = (await anna.send('POST', '/posts', { text: 'запись' })).json();
  const { id: toClara } = (await anna.send('POST', '/posts', { text: `@${clara.username}` })).json();
  const ids = await Promise.all(Array.from({ length: 70 }, (_, i) => wall.post(Number(anna.id), `${i}`)));
  const turns = (path: string) => (i: number) => boris.send(i % 2 ? 'DELETE' : 'PUT', path);
  const settings = { follow_replied: true, digest: 'off' };
  const bursts: Record<string, (i: number) => Promise<LightMyRequestResponse>> = {
    unlikes: () => boris.send('DELETE', `/posts/${id}/likes`),
    deletions: (i) => anna.send('DELETE', `/posts/${ids[i]}`),
    mutes: turns(`/users/current/mutes/${anna.id}`),
    bookmarks: turns(`/posts/${id}/bookmark`),
    follows: turns(`/posts/${id}/follow`),
    settings: () => boris.send('PUT', '/users/current/notification-settings', settings),
    readings: () => boris.send('PUT', '/users/current/reading', { list: 'feed', post_id: id }),
    warnings: () => clara.send('DELETE', '/users/current/warning'),
    notifications: () => clara.send('PUT', '/users/current/notifications/read', { up_to: toClara }),
    'checks of names': (i) => check(anna, `anna_${i}`),
    suggestions: () => anna.send('GET', '/users/suggestions?q=b'),
  };
  for (const [name, send] of Object.entries(bursts)) assert.equal(await letThrough(70, send), 60, name);
  const edits = await letThrough(50, (i) => anna.send('PATCH', `/posts/${id}`, { text: `изменена ${i}` }));
  assert.equal(edits, 40);
  // Budgets belong to one person, and recover with time.
  assert.deepEqual(await outcome(check(boris, 'boris_77')), [200]);
  wall.clock.now += 60;
  assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${id}`, { text: 'снова' })), [200]);
  assert.deepEqual(await outcome(check(anna, 'anna_petrova')), [200]);
});

onWalls({ ACCESS_TOKEN_SECONDS: '100000' })(
  'acts of moderators are limited, and the last can be undone',
  async (wall) => {
    const anna = await register(wall);
    const [boris, clara] = [await registerModerator(wall), await registerModerator(wall)];
    const ids = await Promise.all(Array.from({ length: 35 }, (_, i) => wall.post(Number(anna.id), `${i}`)));
    const remove = (by: Member, id: number | undefined) =>
      by.send('POST', `/moderation/posts/${id}/removal`, { reason: 'спам' });
    assert.equal(await letThrough(35, (i) => remove(boris, ids[i])), 30);

    const { acts } = (await boris.send('GET', '/moderation/journal')).json();
    assert.equal(acts.length, 10, 'reading goes on');
    const undone = boris.send('POST', `/moderation/journal/${acts[0].id}/undo`, { reason: 'ошибка' });
    assert.deepEqual(await outcome(undone), [200]);
    const refused = await remove(boris, ids.at(-1));
    assert.match(refused.json().message, /под вашим именем вошёл кто-то другой/);
    assert.deepEqual(await outcome(remove(clara, ids.at(-1))), [200]);

    // The same act again: there is nothing to do, but it counts.
    for (let spent = 30; spent < 300; spent += 30) {
      wall.clock.now += 60;
      assert.equal(await letThrough(30, () => remove(boris, ids[0])), 30);
    }
    wall.clock.now += 60;
    const { statusCode, headers } = await remove(boris, ids[0]);
    assert.equal(statusCode, 429);
    assert.ok(Number(headers['retry-after']) > 23 * 3_600);
  },
);

onWall('are checked before the text; a refused text spends nothing', async (wall) => {
  const anna = await register(wall);
  const tooLong = { text: 'ж'.repeat(501) };
  for (let i = 0; i < 41; i += 1)
    assert.deepEqual(await outcome(anna.send('POST', '/posts', tooLong)), [400, 'INVALID_REQUEST']);
  for (let i = 0; i < 40; i += 1) assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: `${i}` })), [201]);
  assert.deepEqual(await outcome(anna.send('POST', '/posts', tooLong)), [429, 'TOO_MANY_REQUESTS']);
  const [post] = (await wall.get('/api/v1/posts')).json.posts;
  for (let i = 0; i < 41; i += 1) {
    assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${post.id}`, tooLong)), [400, 'INVALID_REQUEST']);
  }
  for (let i = 0; i < 40; i += 1) await anna.send('PATCH', `/posts/${post.id}`, { text: `изменена ${i}` });
  assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${post.id}`, tooLong)), [429, 'TOO_MANY_REQUESTS']);
});

onWalls()('whoever tries everything out on localhost meets no limit', async (wall) => {
  await everything(wall);
});
