import type { Locator, Page } from '@playwright/test';

/** Size of each phone's window, CSS pixels. */
export const screen = { width: 380, height: 690 };

const gap = 20;
const top = 96;
const size = { width: 2 * screen.width + 3 * gap, height: top + screen.height + 96 };

export interface Phone {
  owner: string;
  page: Page;
}

/** What the stage shows besides the phones. */
export interface Scene {
  caption: string;
  /** The last lines of a terminal. */
  terminal: readonly string[];
}

const markup = (phones: readonly Phone[]): string => `<!doctype html><html lang="ru"><style>
* { margin: 0; box-sizing: border-box }
body { block-size: ${size.height}px; background: #0c0a09; color: #f2ece4; font: 18px system-ui, sans-serif }
h1 { block-size: 56px; padding-inline: ${gap}px; font-size: 23px; line-height: 56px }
div { position: absolute; inset-block-start: 60px; inline-size: ${screen.width}px; color: #b5aca2 }
img { display: block; inline-size: 100%; block-size: ${screen.height}px; margin-block-start: 10px; border-radius: 14px }
i { position: absolute; inline-size: 44px; block-size: 44px; margin: -22px; border-radius: 50%; background: #ffffff66; border: 2px solid #fff }
pre { position: absolute; inset: ${top + screen.height + 14}px ${gap}px 14px; padding: 9px 14px; border-radius: 8px; background: #000; font: 18px/25px monospace }
</style><h1></h1>${phones.map(({ owner }, i) => `<div data-x="${gap + i * (screen.width + gap)}">${owner}<img><i hidden></i></div>`).join('')}<pre></pre>`;

/** A page that shows two phones, a caption and a terminal; its screenshots are the frames of a film. */
export async function openStage(page: Page, phones: readonly Phone[]) {
  await page.setViewportSize(size);
  await page.setContent(markup(phones));
  await page.evaluate(() => {
    for (const phone of document.querySelectorAll('div')) phone.style.left = `${phone.dataset['x']}px`;
  });

  /** A frame. The mark shows where a finger touches one of the phones. */
  return async function frame({ caption, terminal }: Scene, touched?: Locator): Promise<Buffer> {
    const box = await touched?.boundingBox();
    const pictures = await Promise.all(phones.map(({ page: phone }) => phone.screenshot({ animations: 'disabled' })));
    const shown = pictures.map((picture, i) => ({
      src: `data:image/png;base64,${picture.toString('base64')}`,
      finger: box && phones[i]!.page === touched!.page() ? [box.x + box.width / 2, box.y + box.height / 2] : null,
    }));
    await page.evaluate(
      async ({ heading, lines, screens }) => {
        document.querySelector('h1')!.textContent = heading;
        document.querySelector('pre')!.textContent = lines;
        for (const [i, { src, finger }] of screens.entries()) {
          const phone = document.querySelectorAll('div')[i]!;
          const image = phone.querySelector('img')!;
          image.src = src;
          await image.decode();
          const mark = phone.querySelector('i')!;
          mark.hidden = finger === null;
          mark.style.left = `${finger?.[0]}px`;
          mark.style.top = `${image.offsetTop + (finger?.[1] ?? 0)}px`;
        }
      },
      { heading: caption, lines: terminal.slice(-2).join('\n'), screens: shown },
    );
    return page.screenshot();
  };
}
