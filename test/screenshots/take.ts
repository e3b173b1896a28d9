import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { addresses } from '#contract/addresses.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import type { Post } from '#contract/posts.ts';
import { root } from '../kit/node-process.ts';
import { openPage } from '../e2e/support/app.ts';
import { desk, phone } from '../e2e/support/screens.ts';
import { profileLink } from '../e2e/support/sign-in.ts';
import { startDemoServer, type DemoServer } from './demo-server.ts';

const posts = 3_000;

/** The picture in the README, and those that browsers show when they offer to install the wall. */
export async function takeScreenshots(browser: Browser): Promise<void> {
  await using wall = await startDemoServer(posts);
  const discussion = addresses.post.href(await mostDiscussed(wall));

  const atDesk = await openPerson(browser, wall, 'sosedka_s_5', { viewport: desk });
  await open(atDesk, wall.url);
  await save('docs/wall.png', await atDesk.screenshot());
  await save('web/public/screenshot-wide-feed.webp', await webpOf(atDesk));

  const onPhone = await openPerson(browser, wall, 'sosed_snizu', { viewport: phone, deviceScaleFactor: 2 });
  await open(onPhone, wall.url);
  await save('web/public/screenshot-narrow-feed.webp', await webpOf(onPhone));
  await onPhone.evaluate(() => localStorage.setItem('theme', 'light'));
  await open(onPhone, wall.url + discussion);
  await save('web/public/screenshot-narrow-discussion.webp', await webpOf(onPhone));
}

async function openPerson(
  browser: Browser,
  wall: DemoServer,
  username: string,
  screen: { viewport: { width: number; height: number }; deviceScaleFactor?: number },
): Promise<Page> {
  const context = await browser.newContext({ locale: 'ru-RU', timezoneId: 'Europe/Moscow', ...screen });
  await wall.signIn(context, username);
  return context.newPage();
}

async function open(page: Page, url: string): Promise<void> {
  await openPage(page, url);
  await profileLink(page).waitFor({ state: 'attached' });
  // A list puts its later posts into the document one frame after the first ones.
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
}

async function mostDiscussed({ url }: DemoServer): Promise<Post> {
  const response = await fetch(`${url}${apiPrefix}/posts?limit=50`);
  const page = (await response.json()) as { posts: Post[] };
  const repliesTo = ({ actions }: Post): number => actions.thread_count ?? 0;
  return page.posts.toSorted((a, b) => repliesTo(b) - repliesTo(a))[0]!;
}

/**
 * A screenshot as WebP, which has half the bytes of a PNG. An empty page converts it, because the content security policy of the wall
 * forbids its pages to load the picture.
 */
async function webpOf(page: Page): Promise<Buffer> {
  const png = (await page.screenshot()).toString('base64');
  const other = await page.context().newPage();
  const data = await other.evaluate(async (source) => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
    canvas.getContext('2d')!.drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', 0.85);
  }, `data:image/png;base64,${png}`);
  await other.close();
  return Buffer.from(data.split(',')[1]!, 'base64');
}

async function save(path: string, content: Buffer): Promise<void> {
  await writeFile(join(root, path), content);
  console.log(`${path}: ${content.length} bytes`);
}
