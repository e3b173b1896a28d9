import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openWall, type Wall } from '../../test/kit/wall.ts';

describe('an address that ends with a slash', () => {
  let wall: Wall;
  before(async () => void (wall = await openWall('sqlite')));
  after(() => wall.close());

  const ask = async (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
    const { statusCode, headers } = await wall.app.inject({ method, url });
    return [statusCode, headers.location];
  };

  test('redirects to the address without it', async () => {
    assert.deepEqual(await ask('/posts/5/'), [308, '/posts/5']);
    assert.deepEqual(await ask('/users/anna/', 'HEAD'), [308, '/users/anna']);
    assert.deepEqual(await ask('/settings/account/email/'), [308, '/settings/account/email']);
    assert.deepEqual(await ask('/posts/5/?cursor=7'), [308, '/posts/5?cursor=7']);
    assert.deepEqual(await ask('/no/such/page/'), [308, '/no/such/page']);
  });

  test('never redirects to another site', async () => {
    for (const path of [
      '//evil.example/',
      '///evil.example/',
      '/\\evil.example/',
      '/..//evil.example/',
      '/%0d%0aa:/',
    ]) {
      const [, location = '/'] = await ask(`http://wall.example${path}`);
      assert.equal(new URL(String(location), 'http://wall.example').host, 'wall.example', path);
    }
  });

  test('is not found in the API or with other methods', async () => {
    assert.deepEqual(await ask('/api/v1/posts/'), [404, undefined]);
    assert.deepEqual(await ask('/posts/5/', 'POST'), [404, undefined]);
  });
});
