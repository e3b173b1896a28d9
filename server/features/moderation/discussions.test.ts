import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { journal, registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, publish, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

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

for (const engine of engines) {
  describe(`the rules of a discussion on ${engine}`, () => {
    test('a closed discussion takes likes and no replies, at any depth, until it is opened', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
      const root = await publish(anna, 'спор');
      const below = await replyTo(boris, root.id, 'не согласен');
      // Cached.
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
      assert.deepEqual(
        (await journal(moderator)).map(({ action, target, undo: may }) => [action, target, may]),
        [
          ['lock', root.id, false],
          ['unlock', root.id, true],
        ],
      );
    });

    test('it stays closed while its first post is away, and when that returns', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
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

    test('in slow mode each person replies once in the time', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
      const [root, other] = [await publish(anna, 'спор'), await publish(anna, 'рядом')];
      assert.deepEqual(await pace(moderator, root.id, 300), [200]);
      assert.equal((await actionsOf(wall, root.id)).pace, 300);
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
      assert.deepEqual(await pace(moderator, root.id, 0), [200]);
      assert.deepEqual(await reply(boris, first.id), [201]);
      const acts = await journal(moderator);
      assert.deepEqual(await undo(moderator, acts.at(-1)!.id), [200]);
      assert.equal((await actionsOf(wall, root.id)).pace, 300);
    });

    test('undoing a closure restores the slow mode', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, anna] = [await registerModerator(wall), await register(wall)];
      const root = await publish(anna, 'спор');
      await pace(moderator, root.id, 60);
      await lock(moderator, root.id);
      assert.deepEqual(await pace(moderator, root.id, 300), [403, 'FORBIDDEN']);
      const closure = (await journal(moderator)).at(-1)!;
      assert.deepEqual(await undo(moderator, closure.id), [200]);
      assert.equal((await actionsOf(wall, root.id)).pace, 60);
    });

    test('a reply beside a closure is either before it or refused', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
      for (let round = 0; round < 20; round += 1) {
        const root = await publish(anna, `спор ${round}`);
        const below = await replyTo(boris, root.id, 'не согласен');
        const [closure, ...replies] = await Promise.all([
          lock(moderator, root.id),
          ...[anna, boris, anna, boris].map((by, index) => reply(by, index < 2 ? root.id : below.id, `ответ ${index}`)),
        ]);
        assert.deepEqual(closure, [200]);
        const written = replies.filter(([status]) => status === 201).length;
        assert.deepEqual(
          replies.filter(([status]) => status !== 201),
          Array.from({ length: 4 - written }, () => refused),
        );
        assert.equal((await actionsOf(wall, root.id)).thread_count, 1 + written);
        assert.deepEqual(await reply(anna, below.id), refused);
      }
    });

    test('slow mode of the wall counts the replies of a person in all discussions, beside that of one of them', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const owner = await registerModerator(wall, 'owner');
      const [anna, boris] = [await register(wall), await register(wall)];
      const [one, two] = [await publish(anna, 'раз'), await publish(anna, 'два')];
      const set = async (seconds: number) => {
        const settings = {
          name: 'Двор',
          line: '',
          contact: 'mailto:a@example.org',
          registration: 'open',
          readers: 'everyone',
          pace: seconds,
        };
        const response = await owner.send('PUT', '/keep/settings', settings);
        assert.equal(response.statusCode, 200, response.body);
        assert.equal(response.json().settings.pace, seconds);
      };
      await set(60);
      const slow = [429, 'TOO_MANY_REQUESTS'];
      const burst = await Promise.all([one, two, one, two].map(({ id }) => reply(boris, id)));
      assert.deepEqual(
        burst.filter(([status]) => status !== 201),
        [slow, slow, slow],
      );
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
  });
}
