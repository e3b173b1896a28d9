import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { register } from '../../../test/kit/member.ts';
import { notOnLocalhost, openWall } from '../../../test/kit/wall.ts';

/** One letter that stands for eighteen. */
const ligature = '\ufdfa';

/** Counts turns of the event loop. */
function countTurns() {
  let isOver = false;
  const turns = { count: 0, [Symbol.dispose]: () => void (isOver = true) };
  const next = (): void => {
    turns.count += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  return turns;
}

describe('who may search, and how often', () => {
  test('visitors share one rate, whatever their addresses; members do not notice', async () => {
    await using wall = await openWall('sqlite', notOnLocalhost);
    const anna = await register(wall);
    const statuses: number[] = [];
    for (let i = 0; i < 120; i += 1) {
      const remoteAddress = `10.1.${i}.1`;
      const response = await wall.app.inject({ url: '/api/v1/posts/search?q=word', remoteAddress });
      statuses.push(response.statusCode);
      if (response.statusCode !== 429) continue;
      assert.match(response.json().message, /слишком много гостей/);
      assert.ok(Number(response.headers['retry-after']) >= 1);
    }
    const admitted = statuses.filter((status) => status === 200).length;
    assert.ok(admitted >= 60 && admitted < 110, `${admitted}`);
    for (let i = 0; i < 30; i += 1) assert.equal((await anna.send('GET', '/posts/search?q=word')).statusCode, 200);
  });

  test('one network of visitors uses up only its own share, by the API and by the page', async () => {
    await using wall = await openWall('sqlite', notOnLocalhost);
    let searched = 0;
    const ask = (remoteAddress: string) => {
      searched += 1;
      const path = searched % 2 === 0 ? '/api/v1/posts/search' : '/search';
      return wall.app.inject({ url: `${path}?q=word${searched}`, remoteAddress });
    };
    let admitted = 0;
    for (let i = 0; i < 120; i += 1) {
      const { statusCode, body } = await ask(`2001:db8:1:2::${i}`);
      if (statusCode === 200) admitted += 1;
      else assert.match(body, /Из вашей сети ищут слишком часто/);
    }
    assert.equal(admitted, 30);
    for (let i = 1; i <= 20; i += 1) assert.equal((await ask(`10.1.${i}.1`)).statusCode, 200);
  });

  test('one address of a wall on localhost leaves others their share, too', async () => {
    await using wall = await openWall('sqlite');
    const ask = async (remoteAddress: string): Promise<number> =>
      (await wall.app.inject({ url: '/api/v1/posts/search?q=word', remoteAddress })).statusCode;
    let admitted = 0;
    for (let i = 0; i < 400; i += 1) if ((await ask('10.1.0.1')) === 200) admitted += 1;
    assert.equal(admitted, 300);
    for (let i = 1; i <= 20; i += 1) assert.equal(await ask(`10.1.${i}.1`), 200);
  });

  for (const who of ['visitors', 'members']) {
    test(`of a crowd of ${who} at most one search begins in a turn of the event loop`, async () => {
      await using wall = await openWall('sqlite');
      const anna = await register(wall);
      using turns = countTurns();
      const search = (i: number): Promise<unknown> =>
        who === 'members' ? anna.send('GET', `/posts/search?q=word${i}`) : wall.get(`/api/v1/posts/search?q=word${i}`);
      const ends = await Promise.all(Array.from({ length: 20 }, (_, i) => search(i).then(() => turns.count)));
      assert.equal(new Set(ends).size, ends.length, ends.join());
    });
  }

  test('a search in many long texts reads a few in each turn of the event loop', async () => {
    await using wall = await openWall('sqlite');
    const author = await wall.person('anna_');
    for (let i = 0; i < 100; i += 1) await wall.post(author, `zq xw ${ligature.repeat(247)}`);
    using turns = countTurns();
    assert.deepEqual((await wall.get(`/api/v1/posts/search?q=${encodeURIComponent('"xw zq"')}`)).json.posts, []);
    // 25,000 letters, 1,500 of them in a turn.
    assert.ok(turns.count >= 14, `${turns.count} turns`);
  });

  test('one member searches 120 times a minute', async () => {
    await using wall = await openWall('sqlite');
    const [anna, boris] = [await register(wall), await register(wall)];
    const statuses: number[] = [];
    for (let i = 0; i < 130; i += 1) statuses.push((await anna.send('GET', '/posts/search?q=word')).statusCode);
    assert.equal(statuses.filter((status) => status === 200).length, 120);
    assert.equal((await boris.send('GET', '/posts/search?q=word')).statusCode, 200);
  });

  test('with SEARCH=members visitors are refused', async () => {
    await using wall = await openWall('sqlite', { SEARCH: 'members' });
    const anna = await register(wall);
    assert.equal((await wall.get('/api/v1/posts/search?q=word')).status, 401);
    assert.equal((await anna.send('GET', '/posts/search?q=word')).statusCode, 200);
  });
});
