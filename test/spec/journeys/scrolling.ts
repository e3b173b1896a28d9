import { openPage } from '../../e2e/support/app.ts';
import { articles, scrollToPost, seenPosts } from '../../e2e/support/feed.ts';
import { expect, type Scene } from '../scene.ts';

/** Long lists, and where they load. */
export async function scrolling({ check, newPage, wall, posts }: Scene): Promise<void> {
  const page = await newPage({ visits: true });
  const asked: URL[] = [];
  page.on('request', (request) => {
    if (request.url().includes('cursor=')) asked.push(new URL(request.url()));
  });
  const release = Promise.withResolvers<void>();
  const visitor = wall.visitor();
  const read: Scene['posts'] = [];
  for (const number of [1, 2]) read.push(...(await visitor.call('GET', `/posts?limit=50&page=${number}`)).posts);
  const oldest = read.findIndex(({ id }) => id === posts.at(-1)!.id) + 1;
  await page.route('**/api/v1/posts?*cursor=*', async (route) => {
    await release.promise;
    await route.continue();
  });
  // The first page of a list must be longer than the window and the margin.
  await page.setViewportSize({ width: page.viewportSize()!.width, height: 500 });
  await openPage(page, '/');
  await check('9.1', () => expect(articles(page)).toHaveCount(10));
  const distance = (windows: number) =>
    page.evaluate((count) => {
      const end = document.querySelector('[role=feed]')!.getBoundingClientRect().bottom;
      return Math.round(scrollY + end - count * innerHeight);
    }, windows);
  const threshold = await distance(1.4);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const resting = await height();
  await page.clock.pauseAt(Date.now() + 60_000);
  await check('2.59', async () => {
    await page.evaluate((top) => scrollTo(0, top - 8), threshold);
    await page.clock.runFor(1_000);
    expect(asked).toEqual([]);
  });
  await check(['2.57', '2.58', '9.14'], async () => {
    await page.evaluate((top) => scrollTo(0, top + 8), threshold);
    // The observer of the end has reported by then.
    await page.evaluate(
      () =>
        new Promise<void>((done) => {
          new IntersectionObserver(() => done()).observe(document.body);
        }),
    );
    await page.clock.runFor(99);
    expect(asked).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(() => asked.length).toBe(1);
  });
  await check('9.2', () => expect(asked[0]!.searchParams.get('limit')).toBe('10'));
  await page.clock.resume();
  await check('2.60', async () => {
    await expect(page.getByRole('feed')).toHaveAttribute('aria-busy', 'true');
    await expect.poll(height).toBeGreaterThan(resting + 200);
    release.resolve();
    await expect(page.getByRole('feed')).toHaveAttribute('aria-busy', 'false');
  });
  release.resolve();
  await check(['2.3', '2.4'], async () => {
    await scrollToPost(page, oldest);
    const seen = (await seenPosts(page)).map(([, text]) => text);
    expect(seen).toEqual(expect.arrayContaining(posts.map(({ text }) => text)));
    const { lastPage } = await visitor.call('GET', '/posts?limit=10');
    expect(lastPage).toBeGreaterThanOrEqual(3);
  });
  await page.context().close();
}
