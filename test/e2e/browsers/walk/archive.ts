import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { CarriedPart } from '#contract/carried.ts';
import { carryFile } from '../../../../server/features/carries/carry-file.ts';
import { hostileTexts } from '../../support/hostile.ts';
import { authorName, banner, card, field, heading, link, type WalkStep } from './walk.ts';

const owner = { id: '1', username: authorName, display_name: null, face: null };

/** A discussion, and below it posts with hostile texts. */
const part: CarriedPart = {
  people: [owner],
  posts: [
    { id: '1001', by: 0, at: 1_700_000_100, text: 'Лифты снова едут', root: '1000', to: '1000' },
    { id: '1000', by: 0, at: 1_700_000_000, text: 'В доме 12 встал лифт' },
    ...hostileTexts.map((hostile, i) => ({ id: String(999 - i), by: 0, at: 1_600_000_000, text: hostile })),
  ],
};

/** Notes foreign scripts that run or are blocked. */
const watch = `<script>
  executed = [];
  pwned = () => executed.push('script');
  document.addEventListener('securitypolicyviolation', pwned);
</script>`;

async function* parts(): AsyncGenerator<string> {
  yield gzipSync(JSON.stringify(part)).toString('base64');
}

async function archive(): Promise<string> {
  const wall = { appName: 'Стена', line: undefined, mark: undefined, publicUrl: 'https://wall.example' };
  const file = carryFile(wall, { at: 1_700_000_200, posts: part.posts.length, of: null }, parts());
  return (await text(Readable.from(file))).replace('<head>', `<head>${watch}`);
}

export const carried: readonly WalkStep[] = [
  {
    name: 'the file of a carried wall opens from the disk, searches and runs no text',
    async run({ screen }) {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-archive-'));
      const file = join(folder.path, 'archive.html');
      await writeFile(file, await archive());
      await screen.driver.goto(`file://${file}`);
      await screen.click(link('1 ответ', card('В доме 12')));
      await screen.see(heading('1 ответ'));
      await screen.see(card('Лифты снова едут'));
      await screen.driver.back();
      await screen.see(link('1 ответ', card('В доме 12')));
      await screen.ask(
        'all posts',
        (count) => {
          scrollTo(0, document.documentElement.scrollHeight);
          return document.querySelectorAll('article').length === count;
        },
        part.posts.length - 1,
      );
      await screen.fill(field(banner), 'лифта');
      await screen.press('Enter');
      await screen.see({ role: 'status', text: 'Нашлось: 2 записи' });
      await screen.see(card('Лифты снова едут'));
      await screen.ask('nothing executed', () => window.executed.length === 0);
    },
  },
];
