import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

const day = 24 * 3_600;
/** Keeps tests signed in that move the clock by days. */
const patient = { ACCESS_TOKEN_SECONDS: String(60 * day) };
const check = (member: Member, name: string) => member.send('GET', `/users/${name}/validation`);
const rename = (member: Member, username: string) => member.send('PATCH', '/users/current/profile', { username });

const firstName = 'anna_first';
const secondName = 'anna_second';

/** A person who has changed the name, and a link with the old one. */
async function renamed(wall: Wall): Promise<Member> {
  const anna = await register(wall);
  for (const name of [firstName, secondName]) assert.deepEqual(await outcome(rename(anna, name)), [200], name);
  return anna;
}

async function leadsTo(wall: Wall, path: string): Promise<unknown> {
  const { status, headers } = await wall.get(path);
  return status === 302 ? headers['location'] : status;
}

for (const engine of engines) {
  describe(`a change of name on ${engine}`, () => {
    test('is allowed exactly three times a day, besides the first choice of a name', async () => {
      await using wall = await openWall(engine, patient);
      const anna = await register(wall);
      const burst = (prefix: string) =>
        Promise.all(Array.from({ length: 12 }, (_, i) => outcome(rename(anna, `${prefix}_${i}`))));
      const changed = (outcomes: Array<[number, string?]>) => outcomes.filter(([status]) => status === 200).length;
      assert.equal(changed(await burst('first')), 4, 'the first choice and three changes');
      const refused = await rename(anna, 'anna_petrova');
      assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, String(day)]);
      assert.match(refused.json().message, /три раза в день/);

      const { username } = (await anna.send('GET', '/users/current')).json();
      assert.deepEqual(await outcome(rename(anna, username)), [200], 'the same name is no change');
      wall.clock.now += day;
      for (const name of ['user_ab12cd34', 'anna_petrova', 'user_ab12cd35']) {
        assert.deepEqual(await outcome(rename(anna, name)), [200], name);
      }
      assert.equal(changed(await burst('later')), 0, 'a chosen name may look like a generated one');
    });

    test('spends no budget when the name is refused, nor with RATE_LIMITS=off', async (t) => {
      const [wall, open] = [await openWall(engine, patient), await openWall(engine, { RATE_LIMITS: 'off' })];
      t.after(() => Promise.all([wall.close(), open.close()]));
      const [anna, boris] = [await renamed(wall), await register(wall)];
      for (let i = 0; i < 5; i += 1) assert.equal((await rename(boris, secondName)).statusCode, 400);
      for (const name of ['boris_1', 'boris_2', 'boris_3', 'boris_4']) {
        assert.deepEqual(await outcome(rename(boris, name)), [200], name);
      }
      assert.deepEqual(await outcome(rename(boris, 'boris_5')), [429, 'TOO_MANY_REQUESTS']);
      assert.equal((await anna.send('GET', '/users/current')).json().username, secondName);

      const clara = await register(open);
      for (let i = 0; i < 8; i += 1) assert.deepEqual(await outcome(rename(clara, `clara_${i}`)), [200]);
    });

    test('reserves the left name for 30 days; its owner may take it back', async () => {
      await using wall = await openWall(engine, patient);
      const [anna, boris] = [await renamed(wall), await register(wall)];
      const claims = () => Promise.all([outcome(check(boris, 'Anna_First')), outcome(rename(boris, 'Anna_First'))]);
      const taken = [400, 'USERNAME_ALREADY_EXISTS'];
      assert.deepEqual(await claims(), [taken, taken]);
      assert.deepEqual(await outcome(check(anna, firstName)), [200]);
      assert.deepEqual(await outcome(rename(anna, firstName)), [200]);
      assert.deepEqual(await outcome(rename(anna, secondName)), [200]);
      wall.clock.now += 30 * day - 1;
      assert.deepEqual(await claims(), [taken, taken]);
      wall.clock.now += 1;
      assert.deepEqual(await claims(), [[200], [200]]);
      assert.deepEqual(await outcome(rename(boris, 'boris_petrov')), [200]);
      assert.deepEqual(
        await outcome(rename(anna, firstName)),
        [400, 'USERNAME_ALREADY_EXISTS'],
        'the name belongs to the other person',
      );
    });

    test('refuses the name to somebody who claims it while it is being left', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [anna, boris] = [await register(wall), await register(wall)];
      for (let i = 0; i < 40; i += 1) {
        await rename(anna, `anna_left_${i}`);
        const [left, claimed] = await Promise.all([
          outcome(rename(anna, `anna_took_${i}`)),
          outcome(rename(boris, `anna_left_${i}`)),
        ]);
        assert.deepEqual([left, claimed], [[200], [400, 'USERNAME_ALREADY_EXISTS']]);
      }
    });

    test('redirects links to the person for 30 days or until somebody has the name', async () => {
      await using wall = await openWall(engine, patient);
      const anna = await renamed(wall);
      for (const name of [anna.username, firstName, 'ANNA_FIRST']) {
        assert.equal(await leadsTo(wall, `/users/${name}`), `/users/${secondName}`);
        assert.equal(await leadsTo(wall, `/users/${name}?cursor=a%26b`), `/users/${secondName}?cursor=a%26b`);
        assert.equal(await leadsTo(wall, `/users/${name}/replies`), `/users/${secondName}/replies`);
        assert.equal(await leadsTo(wall, `/users/${name}/feed.xml`), `/users/${secondName}/feed.xml`);
        const { status, json } = await wall.get(`/api/v1/users/${name}`);
        assert.deepEqual([status, json.id, json.username], [200, anna.id, secondName]);
      }
      assert.equal((await wall.get(`/users/${secondName}`)).status, 200);
      wall.clock.now += 30 * day;
      for (const prefix of ['/api/v1/users', '/users']) {
        assert.equal((await wall.get(`${prefix}/${firstName}`)).status, 404);
      }
      const boris = await register(wall);
      await rename(boris, firstName);
      assert.equal((await wall.get(`/api/v1/users/${firstName}`)).json.id, boris.id);
    });

    test('does not redirect after the account is deleted, and its names stay taken', async () => {
      await using wall = await openWall(engine, patient);
      const anna = await renamed(wall);
      wall.clock.now += 61;
      await deleteAccount(wall, anna);
      for (const path of ['/api/v1/users', '/users']) {
        for (const name of [firstName, secondName]) assert.equal((await wall.get(`${path}/${name}`)).status, 404);
      }
      assert.equal((await wall.get(`/users/${firstName}/feed.xml`)).status, 404);
      const boris = await register(wall);
      assert.deepEqual(await outcome(rename(boris, firstName)), [400, 'USERNAME_ALREADY_EXISTS']);
    });
  });
}
