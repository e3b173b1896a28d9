import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { PostPage } from '#contract/posts.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { type Wall } from '../../../test/kit/wall.ts';

const onWall = onWalls();

const texts = (page: PostPage): string[] => page.posts.map((post) => post.text);

async function list(wall: Wall, query = ''): Promise<PostPage> {
  const { status, json } = await wall.get(`/api/v1/posts${query}`);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

onWall('the pages of an empty wall, and those after the last one, are empty', async (wall) => {
  const empty = { posts: [], firstPage: 1, lastPage: 1, total: 0, next: null, previous: null };
  assert.deepEqual(await list(wall), { ...empty, pinned: null });
  const anna = await wall.person('anna_petrova');
  for (let i = 0; i < 35; i += 1) await wall.post(anna, `${i}`);
  const { posts, ...paging } = await list(wall);
  assert.deepEqual(
    [posts.length, paging.firstPage, paging.lastPage, paging.total, (await list(wall, '?page=4')).next],
    [10, 1, 4, 35, null],
  );
  assert.deepEqual(await list(wall, '?page=5'), { ...empty, lastPage: 4, total: 35, previous: 'c0' });
  for (const nobody of ['999999', 'abc', '0', '-1']) {
    for (const filter of ['', '&filter=replies']) {
      assert.equal((await list(wall, `?userId=${nobody}${filter}`)).total, 0);
    }
  }
});

onWall('a cursor continues exactly after the last post received', async (wall) => {
  const anna = await wall.person('anna_petrova');
  for (let i = 0; i < 35; i += 1) await wall.post(anna, `запись ${i}`);
  const expected = texts(await list(wall, '?limit=50'));
  const seen: string[] = [];
  for (let page = await list(wall, '?limit=4'); ; page = await list(wall, `?limit=4&page=9&cursor=${page.next}`)) {
    seen.push(...texts(page));
    if (page.next === null) break;
    // New posts and the deletion of the cursor's post shift pages, but not cursors.
    await wall.post(anna, 'между страницами');
    if (seen.length === 8) await wall.remove(Number(page.posts.at(-1)!.id));
  }
  assert.deepEqual(seen, expected);
});

onWall('names are found in any case, and nothing by malformed names and ids', async (wall) => {
  await wall.person('Anna_Petrova');
  assert.equal((await wall.get('/api/v1/users/ANNA_petrova')).json.username, 'Anna_Petrova');
  for (const name of ['nobody_here', 'x', 'anna%20petrova', '%00', '\u212aelvin_1'].map(encodeURI)) {
    assert.equal((await wall.get(`/api/v1/users/${name}`)).status, 404, name);
  }
  for (const id of ['0', '-1', '1e3', '01', 'abc', '99999999999999999999', '1.0', '%20', 'null']) {
    assert.equal((await wall.get(`/api/v1/posts/${id}`)).status, 404, id);
    assert.equal((await wall.get(`/posts/${id}`)).status, 404, id);
  }
});

onWall('hostile paging is refused, and a list never has more than 50 posts', async (wall) => {
  const anna = await wall.person('anna_petrova');
  for (let i = 0; i < 55; i += 1) await wall.post(anna, `${i}`);
  const pages = `page=0 page=-1 page=1e12 page=NaN page=1${'0'.repeat(30)} page= page=1&page=2 limit=0 limit=-1 limit=5.5`;
  const cursors = `cursor= cursor=zz cursor=c cursor=c${'z'.repeat(11)} cursor=${'c1'.repeat(100)} before= before=zz`;
  const places = `before=c1&cursor=c1 at= at=0 at=abc at=1&cursor=c1 at=1&before=c1 at=1&userId=${anna}`;
  const filters = `filter=mine filter=replies userId=&filter=replies at=1&userId=${anna}&filter=replies`;
  for (const bad of `${pages} ${cursors} ${places} ${filters}`.split(' ')) {
    const { status, json } = await wall.get(`/api/v1/posts?${bad}`);
    assert.deepEqual([status, json.code], [400, 'INVALID_REQUEST'], bad);
    assert.match(json.message, /[а-яё]/i);
  }
  const value = fc.oneof(
    fc.integer().map(String),
    fc.double().map(String),
    fc.string(),
    fc.constantFrom('1', '50', '999999999', 'c1'),
  );
  const name = fc.constantFrom('page', 'limit', 'cursor', 'before', 'at', 'userId', 'filter', 'x');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), async (pairs) => {
      const { status, json } = await wall.get(`/api/v1/posts?${new URLSearchParams(pairs)}`);
      assert.ok(status < 500, `${status} for ${JSON.stringify(pairs)}`);
      if (status === 200) assert.ok(json.posts.length <= 50);
    }),
    { numRuns: 300 },
  );
  const largest = await list(wall, '?limit=50');
  assert.equal(largest.posts.length, 50);
  assert.deepEqual(await list(wall, '?limit=100'), largest);
  assert.deepEqual(await list(wall, '?userId='), await list(wall));
});

onWalls({ RATE_LIMITS: 'off' })(
  'likes are shown to the viewer who likes, in every response, compressed or not',
  async (wall) => {
    const [anna, fan, other] = [await register(wall), await register(wall), await register(wall)];
    const trap = '"is_liked":false \\"is_liked":false "is_liked":true слово';
    const root = await publish(anna, trap);
    const reply = await publish(anna, trap, `/posts/${root.id}/replies`);
    const nested = await publish(anna, trap, `/posts/${reply.id}/replies`);
    for (let i = 0; i < 12; i += 1) await publish(anna, trap, i % 2 ? '/posts' : `/posts/${reply.id}/replies`);
    const liked = new Set([root.id, nested.id]);
    for (const id of liked) assert.equal((await fan.send('POST', `/posts/${id}/likes`)).statusCode, 200);
    await other.send('POST', `/posts/${reply.id}/likes`);

    const encodings = [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', undefined, (body: Buffer) => body],
    ] as const;
    const paths = ['/posts', `/posts?userId=${anna.id}&limit=50`, `/posts?userId=${anna.id}&filter=replies`];
    for (const { id } of [root, reply, nested]) paths.push(`/posts/${id}`, `/posts/${id}/thread`);
    for (const path of [...paths, `/posts/${reply.id}/replies`, '/posts/search?q=слово']) {
      for (const [accepted, encoding, unpack] of encodings) {
        // Members ask before visitors have made the server compress the response, and after.
        for (const by of [fan, anna, undefined, undefined, fan, anna]) {
          const asked = { 'accept-encoding': accepted, ...(by && { authorization: `Bearer ${by.token}` }) };
          const response = await wall.app.inject({ url: encodeURI(`/api/v1${path}`), headers: asked });
          // Short responses are not compressed.
          const isPacked = response.headers['content-encoding'] !== undefined;
          const raw = isPacked ? unpack(response.rawPayload) : response.rawPayload;
          const body = JSON.stringify(JSON.parse(raw.toString()));
          const names = ['content-encoding', 'content-length', 'cache-control'];
          const headers = names.map((name) => response.headers[name]);
          const expected = [encoding, `${response.rawPayload.length}`, by ? 'no-store' : 'no-cache'];
          if (path === '/posts') assert.deepEqual(headers, expected);
          if (by) assert.equal(headers[2], 'no-store', path);
          const seen = [...body.matchAll(/"id":"(\d+)","text".+?"is_liked":(true|false),"likes/g)];
          assert.ok(seen.length > 0, path);
          for (const [, id, is] of seen) assert.equal(is, String(by === fan && liked.has(id!)), `${id} in ${path}`);
        }
      }
    }
  },
);
