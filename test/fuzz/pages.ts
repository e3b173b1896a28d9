import assert from 'node:assert/strict';
import { openStory } from '../kit/journeys/open-story.ts';
import { personalPaths } from '../kit/journeys/pages.ts';
import { openTextBrowser } from '../kit/journeys/text-browser.ts';
import { openWall } from '../kit/wall.ts';
import type { Subject } from './guided.ts';

const searches = {
  seeds: ['ёлка "точная фраза" от:anna_petrova с:2023-01-01 по:2030-02-01 #слово', 'хлеб OR заквас*', '№ 1 «ёлка» §'],
  words: [...`" « » от: с: по: # * : ( NEAR( 2023-02-29 ёлка '`.split(' '), 'OR ', ' - ', '\\'],
};
const cursors = {
  seeds: ['a1', 'c2', 'b1z', '1', 'c1&limit=5', 'a1&page=2', '&around=2', '2&order=oldest&depth=3', 'c1&before=c2'],
  words:
    `&limit= &page= &before= &order=oldest &around= &cursor= %00 -1 99999999999999999999 zzzzzzzzzzzzz NaN [] %`.split(
      ' ',
    ),
};
const lists = [
  '/api/v1/posts?limit=N&cursor=',
  '/api/v1/posts/1/thread?cursor=',
  '/api/v1/posts/1/replies?limit=N&cursor=',
  '/api/v1/posts?userId=1&cursor=',
  '/api/v1/posts/discussed?limit=N&cursor=',
  '/api/v1/posts/best?limit=N&cursor=',
  '/best?cursor=',
  '/?cursor=',
  '/posts/1?cursor=',
  '/users/anna_petrova?cursor=',
];

export const search = async (cleanup: AsyncDisposableStack): Promise<Subject> =>
  readsWith(await filledWall(cleanup), ['/api/v1/posts/search?limit=N&q=', '/search?q='], searches);

export const cursor = async (cleanup: AsyncDisposableStack): Promise<Subject> =>
  readsWith(await filledWall(cleanup), lists, cursors);

/** A wall that is reached over HTTP: an injected request would leave its response in memory. */
async function filledWall(cleanup: AsyncDisposableStack): Promise<string> {
  const wall = cleanup.use(await openWall('sqlite', { RATE_LIMITS: 'off', READS_PER_MINUTE: '100000000' }));
  const anna = await wall.person('anna_petrova');
  const first = await wall.post(anna, 'Ёлка и хлеб: точная фраза #слово');
  for (let i = 0; i < 60; i += 1) await wall.reply(anna, first, `ответ ${i} про закваску`);
  return wall.app.listen({ host: '127.0.0.1', port: 0 });
}

let turn = 0;

/** Each input is a part of the address of a few pages and calls. A changing number keeps responses out of the cache. */
const readsWith = (
  origin: string,
  addresses: readonly string[],
  { seeds, words }: Pick<Subject, 'seeds' | 'words'>,
): Subject => ({
  seeds,
  words,
  async run(raw) {
    turn += 1;
    for (const address of addresses.map((one) => one.replace('=N', `=${1 + (turn % 50)}`))) {
      const response = await fetch(origin + encodeURI((address + raw).toWellFormed()), { redirect: 'manual' });
      const { status } = response;
      const body = await response.text();
      assert.ok(status < 500, `${address} ${status} ${body}`);
      if (address.startsWith('/api') && status >= 400) assert.match(body, /^\{"code":"[A-Z_]+","message":".*[а-яё]/i);
    }
  },
});

/** An input is the number of a page without scripts, and the body of a form sent to it. */
export async function forms(cleanup: AsyncDisposableStack): Promise<Subject> {
  const plain = cleanup.use(await openStory('sqlite', { READS_PER_MINUTE: '100000000' }));
  const { seed, author, postId } = plain.world;
  const browser = openTextBrowser(plain.url);
  const paths = ['/sign-in', ...personalPaths({ own: postId, other: postId, name: author.name })];
  let entered = 0;

  async function enter(): Promise<void> {
    entered += 1;
    const name = `owner_${entered}`;
    const id = await seed.person(name);
    await seed.appoint({ id, name }, 'owner');
    browser.cookies.clear();
    browser.cookies.set('session', (await seed.session(id)).cookie);
  }

  await enter();
  const seeds: string[] = [];
  for (const [index, path] of paths.entries()) {
    await browser.open(path);
    for (const form of browser.forms()) seeds.push(`${index} ${form}`);
  }
  return {
    seeds,
    words: [...`& = %00 %ED%A0%80 % + act= text= &id= on -1 __proto__=1 &text=&text= %D1%8F`.split(' '), author.name],
    async run(raw) {
      const [, index = '0', body = ''] = /^(\d*) ?([^]*)$/.exec(raw) ?? [];
      const path = paths[Number(index) % paths.length] ?? paths[0]!;
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(plain.url + path, { method: 'POST', redirect: 'manual', headers, body });
      const page = await response.text();
      assert.ok(response.status < 500, `${path} ${response.status} ${page.slice(0, 300)}`);
      if (response.headers.get('location')?.startsWith('/sign-in')) await enter();
    },
  };
}
