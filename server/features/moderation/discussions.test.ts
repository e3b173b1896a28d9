import assert from 'node:assert/strict';
import { actions, journal, registerModerator } from '../../../test/kit/desk.ts';
import { type Member, outcome, publish, register } from '../../../test/kit/member.ts';
import { type Wall } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';

const because = { reason: 'Спор зашёл в тупик' };
const lock = (by: Member, id: string) => outcome(by.send('PUT', `/moderation/posts/${id}/lock`, because));
const unlock = (by: Member, id: string) => outcome(by.send('DELETE', `/moderation/posts/${id}/lock`, because));
const pace = (by: Member, id: string, seconds: number) =>
  outcome(by.send('PUT', `/moderation/posts/${id}/pace`, { seconds }));
const replyTo = (by: Member, id: string, text: string) => publish(by, text, `/posts/${id}/replies`);
const reply = (by: Member, id: string, text = 'ответ') => outcome(by.send('POST', `/posts/${id}/replies`, { text }));
const undo = (by: Member, id: string) => outcome(by.send('POST', `/moderation/journal/${id}/undo`, because));
const actionsOf = async (wall: Wall, id: string) => (await wall.get(`/api/v1/posts/${id}`)).json.actions;
const refused = [403, 'DISCUSSION_CLOSED'];

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'the rules of a discussion');

onWall('a closed discussion takes likes and no replies, at any depth, until it is opened', async (wall) => {
  const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
  const root = await publish(anna, 'спор');
  const below = await replyTo(boris, root.id, 'не согласен');
  assert.equal((await actionsOf(wall, root.id)).is_closed, undefined);
  // The menu of a reply closes the whole discussion.
  assert.deepEqual(await lock(moderator, below.id), [200]);
  assert.equal((await actionsOf(wall, root.id)).is_closed, true);
  const { ancestors } = (await wall.get(`/api/v1/posts/${below.id}/thread`)).json;
  assert.equal(ancestors[0].actions.is_closed, true);
  for (const by of [anna, boris, moderator]) {
    assert.deepEqual(await reply(by, root.id), refused);
    assert.deepEqual(await reply(by, below.id), refused);
  }
  assert.equal((await actionsOf(wall, root.id)).thread_count, 1);
  assert.deepEqual(await outcome(boris.send('POST', `/posts/${root.id}/likes`)), [200]);

  assert.deepEqual(await unlock(moderator, root.id), [200]);
  assert.equal((await actionsOf(wall, root.id)).is_closed, undefined);
  assert.deepEqual(await reply(boris, below.id), [201]);
  assert.deepEqual(await actions(moderator), ['lock', 'unlock +']);
  assert.deepEqual(new Set((await journal(moderator)).map(({ target }) => target)), new Set([root.id]));
});

onWall('it stays closed while its first post is away, and when that returns', async (wall) => {
  const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
  const root = await publish(anna, 'спор');
  const below = await replyTo(boris, root.id, 'не согласен');
  await lock(moderator, root.id);
  await anna.send('DELETE', `/posts/${root.id}`);
  assert.deepEqual(await reply(anna, below.id), refused);
  // A decision made meanwhile counts.
  await unlock(moderator, below.id);
  await pace(moderator, below.id, 300);
  assert.deepEqual(await outcome(anna.send('POST', `/posts/${root.id}/restoration`)), [200]);
  assert.equal((await actionsOf(wall, root.id)).pace, 300);
});

onWall('in slow mode each person replies once in the time; a closure keeps its place', async (wall) => {
  const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
  const [root, other] = [await publish(anna, 'спор'), await publish(anna, 'рядом')];
  assert.deepEqual(await pace(moderator, root.id, 300), [200]);
  assert.deepEqual(await pace(moderator, root.id, 17), [400, 'INVALID_REQUEST']);
  const first = await replyTo(boris, root.id, 'раз');
  const second = await boris.send('POST', `/posts/${first.id}/replies`, { text: 'два' });
  assert.equal(second.statusCode, 429);
  assert.match(second.json().message, /медленный режим/);
  assert.ok(Number(second.headers['retry-after']) > 290);
  assert.deepEqual(await reply(anna, first.id), [201]);
  assert.deepEqual(await reply(boris, other.id), [201]);
  wall.clock.now += 301;
  assert.deepEqual(await reply(boris, first.id), [201]);
  await lock(moderator, root.id);
  assert.deepEqual(await pace(moderator, root.id, 60), [403, 'FORBIDDEN']);
  assert.deepEqual(await undo(moderator, (await journal(moderator)).at(-1)!.id), [200]);
  assert.equal((await actionsOf(wall, root.id)).pace, 300);
  assert.deepEqual(await pace(moderator, root.id, 0), [200]);
  assert.deepEqual(await reply(boris, first.id), [201]);
});

onWall('a reply beside a closure is either before it or refused', async (wall) => {
  const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
  for (let round = 0; round < 20; round += 1) {
    const root = await publish(anna, `спор ${round}`);
    const below = await replyTo(boris, root.id, 'не согласен');
    const [closure, ...replies] = await Promise.all([
      lock(moderator, root.id),
      ...[anna, boris, anna, boris].map((by, index) => reply(by, index < 2 ? root.id : below.id, `ответ ${index}`)),
    ]);
    assert.deepEqual(closure, [200]);
    const late = replies.filter(([status]) => status !== 201);
    const written = replies.length - late.length;
    for (const one of late) assert.deepEqual(one, refused);
    assert.equal((await actionsOf(wall, root.id)).thread_count, 1 + written);
    assert.deepEqual(await reply(anna, below.id), refused);
  }
});

onWall('slow mode of the wall counts the replies of a person in all discussions', async (wall) => {
  const owner = await registerModerator(wall, 'owner');
  const [anna, boris] = [await register(wall), await register(wall)];
  const [one, two] = [await publish(anna, 'раз'), await publish(anna, 'два')];
  const set = async (seconds: number) => {
    const response = await owner.send('PUT', '/keep/settings', { pace: seconds });
    assert.equal(response.json().settings?.pace, seconds, response.body);
  };
  await set(60);
  const slow = [429, 'TOO_MANY_REQUESTS'];
  const burst = await Promise.all([one, two, one, two].map(({ id }) => reply(boris, id)));
  const sorted = burst.toSorted(([a], [b]) => a - b);
  assert.deepEqual(sorted, [[201], slow, slow, slow]);
  assert.deepEqual(await reply(anna, one.id), [201], 'each person for themselves');
  await publish(boris, 'записи не считаются');
  wall.clock.now += 60;
  await pace(owner, one.id, 300);
  assert.deepEqual(await reply(boris, one.id), [201]);
  wall.clock.now += 60;
  assert.deepEqual(await reply(boris, one.id), slow, 'the discussion is slower');
  assert.deepEqual(await reply(boris, two.id), [201], 'what was refused is not counted');
  await set(0);
  assert.deepEqual(await reply(boris, two.id), [201]);
});

const close = (by: Member, id: string) => outcome(by.send('PUT', `/posts/${id}/closure`));
const open = (by: Member, id: string) => outcome(by.send('DELETE', `/posts/${id}/closure`));
const stateOf = async (wall: Wall, id: string) => {
  const { is_closed: isClosed, closed_by: by, rule, pace: seconds } = await actionsOf(wall, id);
  return [isClosed, by, rule, seconds];
};
const byAuthor = [true, 'author', 'Автор запретил новые ответы', undefined];
const isOpen = [undefined, undefined, undefined, undefined];

onWall('an author closes the replies to a root post to everybody else, and opens them again', async (wall) => {
  const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
  const root = await publish(anna, 'спор');
  const below = await replyTo(boris, root.id, 'не согласен');
  await replyTo(vera, root.id, 'и я');
  const discussed = async () => (await wall.get('/api/v1/posts/discussed')).json.lifted_by;
  assert.deepEqual(await close(boris, root.id), [403, 'FORBIDDEN']);
  assert.deepEqual(await close(boris, below.id), [400, 'INVALID_REQUEST']);
  for (let again = 0; again < 2; again += 1) assert.deepEqual(await close(anna, root.id), [204]);
  assert.deepEqual(await stateOf(wall, root.id), byAuthor);
  const { statusCode, body } = await boris.send('POST', `/posts/${below.id}/replies`, { text: 'а вот' });
  assert.deepEqual([statusCode, body], [403, '{"code":"DISCUSSION_CLOSED","message":"Автор запретил новые ответы."}']);
  assert.deepEqual(await reply(anna, below.id), [201]);
  assert.deepEqual(await discussed(), [vera.id], 'the author lifts no closed discussion');

  await anna.send('DELETE', `/posts/${root.id}`);
  assert.deepEqual(await reply(boris, below.id), refused);
  await anna.send('POST', `/posts/${root.id}/restoration`);
  assert.deepEqual(await stateOf(wall, root.id), byAuthor);
  for (let again = 0; again < 2; again += 1) assert.deepEqual(await open(anna, root.id), [204]);
  assert.deepEqual([await stateOf(wall, root.id), await reply(boris, below.id)], [isOpen, [201]]);
  assert.deepEqual(await close(anna, '999999'), [404, 'NOT_FOUND']);
});

onWall(
  'who keeps the wall opens what an author has closed, an author not what they have; the pace remains',
  async (wall) => {
    const [moderator, anna] = [await registerModerator(wall), await register(wall)];
    const { id } = await publish(anna, 'спор');
    await pace(moderator, id, 300);
    await close(anna, id);
    assert.deepEqual(await pace(moderator, id, 60), [403, 'FORBIDDEN']);
    assert.deepEqual([await reply(anna, id), (await reply(anna, id))[0]], [[201], 429]);
    for (let again = 0; again < 2; again += 1) assert.deepEqual(await open(moderator, id), [204]);
    assert.equal((await stateOf(wall, id))[3], 300);
    assert.deepEqual(await actions(moderator), ['pace +', 'unlock +']);
    const [opening] = (await journal(moderator)).filter(({ action }) => action === 'unlock');
    assert.deepEqual(await undo(moderator, opening!.id), [200]);
    assert.deepEqual(await stateOf(wall, id), byAuthor);

    assert.deepEqual(await lock(moderator, id), [200]);
    assert.deepEqual(await close(anna, id), [204]);
    assert.deepEqual(await open(anna, id), [403, 'FORBIDDEN']);
    assert.deepEqual(await open(moderator, id), [204]);
    assert.deepEqual([(await stateOf(wall, id))[1], await reply(anna, id)], [undefined, refused]);
  },
);
