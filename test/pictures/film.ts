import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from '@playwright/test';
import { root } from '../kit/node-process.ts';
import { openPage } from '../e2e/support/app.ts';
import { cardOf } from '../e2e/support/feed.ts';
import { choice, newPostButton, textField, toast } from '../e2e/support/writing.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';
import { openStage, type Phone, type Scene, screen } from './stage.ts';

const posts = 3_000;
const target = 'docs/demo.webm';
const poster = 'docs/demo.png';
/** A test limits the file to 2 MB. */
const quality = ['-c:v', 'libvpx-vp9', '-crf', '33', '-b:v', '0', '-deadline', 'good', '-cpu-used', '3'];

const first = 'Во дворе нашли рыжего кота. Чей?';
const second = 'Кот нашёлся! Всем спасибо.';

/**
 * Two phones and a server that is killed between them, for the README. The film is made of pictures of the real pages, each
 * with its own time in the film, because on a busy machine a recording would mostly show waiting.
 */
export async function makeFilm(browser: Browser): Promise<void> {
  await using wall = await startDemoServer(posts);
  const writer = await openPhone(browser, wall, 'anya_iz_3');
  const reader = await openPhone(browser, wall, 'boris_iz_9');
  const frame = await openStage(await browser.newPage(), [writer, reader]);
  const folder = await mkdtemp(join(tmpdir(), 'stena-film-'));
  const list: string[] = [];
  const scene: Scene & { terminal: string[] } = { caption: '', terminal: ['$ node server/main.ts', wall.url] };

  const shoot = async (seconds: number, touched?: Locator) => {
    const file = join(folder, `${list.length}.png`);
    await writeFile(file, await frame(scene, touched));
    list.push(`file '${file}'\nduration ${seconds}`);
    return file;
  };
  const say = (caption: string) => (scene.caption = caption);
  const tap = async (control: Locator) => {
    await shoot(0.6, control);
    await control.click();
  };
  const write = async (text: string) => {
    await tap(newPostButton(writer.page));
    for (const part of text.match(/.{1,6}/gs)!) {
      await textField(writer.page).pressSequentially(part);
      await shoot(0.2);
    }
    await shoot(0.6);
  };
  const publish = choice(writer.page, 'Опубликовать');
  const pill = reader.page.getByRole('button', { name: /^Показать новые/ });

  say('Два телефона, одна стена');
  await shoot(2);
  say('Аня пишет и публикует');
  await write(first);
  const saved = writer.page.waitForResponse((response) => response.request().method() === 'POST');
  await tap(publish);
  await saved;
  const { pid } = wall.process.child;
  await wall.process.stop('SIGKILL');
  await toast(writer.page, 'Опубликовано').waitFor();
  say('Ответ пришёл, и в тот же миг сервер убит: kill -9');
  scene.terminal.push(`$ kill -9 ${pid}`, 'Killed');
  const still = await shoot(3);

  say('Сервера нет. Аня пишет дальше…');
  await write(second);
  await tap(publish);
  await writer.page.getByRole('dialog').getByText('Нет соединения').waitFor();
  say('…текст остаётся, и оба телефона говорят, что связи нет');
  await tap(reader.page.getByRole('article').first().getByRole('button', { name: 'Нравится' }));
  await toast(reader.page, 'Нет соединения').waitFor();
  await shoot(3);

  await wall.startAgain();
  scene.terminal.push('$ node server/main.ts', wall.url);
  say('Сервер запущен снова');
  await shoot(1.5);
  await pill.waitFor({ timeout: 120_000 });
  say('Запись, сохранённая до сбоя, приходит к Борису сама');
  await shoot(1.5);
  await tap(pill);
  await cardOf(reader.page, first).waitFor();
  await shoot(2.5);
  say('Аня нажимает ещё раз');
  await tap(publish);
  await cardOf(writer.page, second).waitFor();
  await pill.waitFor();
  await shoot(1);
  await tap(pill);
  await cardOf(reader.page, second).waitFor();
  say('Обе записи на обоих телефонах. Ничего не потеряно');
  await shoot(4);

  // The list names the last picture twice: ffmpeg ignores the duration of the last entry.
  await writeFile(join(folder, 'list'), [...list, list.at(-1)!.split('\n')[0]].join('\n'));
  const out = join(root, target);
  const input = ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', join(folder, 'list')];
  await promisify(execFile)('ffmpeg', [...input, '-vf', 'fps=10,format=yuv420p', ...quality, out]);
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-i', still, '-frames:v', '1', join(root, poster)]);
  for (const path of [target, poster]) console.log(`${path}: ${(await stat(join(root, path))).size} bytes`);
  await rm(folder, { recursive: true });
}

async function openPhone(browser: Browser, wall: DemoServer, owner: string): Promise<Phone> {
  const context = await browser.newContext({
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    viewport: screen,
    reducedMotion: 'reduce',
  });
  await wall.signIn(context, owner);
  const page: Page = await context.newPage();
  await openPage(page, wall.url);
  return { owner, page };
}
