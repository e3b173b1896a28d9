import { expect, type Page } from '@playwright/test';

/** The text spacing of WCAG 1.4.12. */
export async function widenText(page: Page): Promise<void> {
  await page.evaluate(() => {
    const wide = new CSSStyleSheet();
    wide.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
    );
    document.adoptedStyleSheets.push(wide);
  });
}

/** Expects no horizontal scrolling, no clipped words, and no control outside the window or over another. */
export async function expectReflowed(page: Page, where: string): Promise<void> {
  await expect.poll(() => page.evaluate(misfits), where).toEqual([]);
}

function misfits(): string[] {
  const found: string[] = [];
  const name = (element: Element) =>
    `${element.localName} «${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}»`;
  const layer = document.querySelector('dialog[open], :popover-open') ?? document.body;
  const seen = [...layer.querySelectorAll<HTMLElement>('*')].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      // An element with a clip path, or whose parent has one, is hidden on purpose.
      [element, element.parentElement!].every((it) => getComputedStyle(it).clipPath === 'none'),
  );

  const beyond = document.documentElement.scrollWidth - innerWidth;
  if (beyond > 0) found.push(`the page is ${beyond} px too wide`);

  for (const element of seen) {
    const { overflowX, overflowY } = getComputedStyle(element);
    // These links show the beginning of a post in one line, which is cut on purpose.
    if (element.closest('[aria-label="Начало обсуждения"], a[data-author]')) continue;
    const sideways =
      overflowX !== 'visible' && !element.matches('input') && element.scrollWidth > element.clientWidth + 1;
    // A quoted post is truncated on purpose: it links to the full one.
    const down =
      overflowY === 'hidden' && !element.matches('article a *') && element.scrollHeight > element.clientHeight + 1;
    if (sideways || down) found.push(`cut: ${name(element)}`);
  }

  const controls = seen
    .filter((element) => element.matches('a, button, input, textarea'))
    // What is seen of a control: its words and its icon. A link in a text has a box in each of its lines.
    .flatMap((element) => {
      const parts = seen.filter((part) => element.contains(part) && part.childElementCount === 0);
      const boxes = (parts.length > 0 ? parts : [element]).flatMap((part) => [...part.getClientRects()]);
      return boxes.map((box) => ({ element, box }));
    });
  for (const { element, box } of controls) {
    if (box.left < 0 || box.right > innerWidth) found.push(`out of the window: ${name(element)}`);
    for (const group of ['header', 'article', 'dialog', 'nav']) {
      const rivals = controls.filter(
        (other) =>
          other.element !== element &&
          element.closest(group) !== null &&
          element.closest(group) === other.element.closest(group) &&
          !other.element.contains(element) &&
          !element.contains(other.element),
      );
      for (const { element: other, box: rival } of rivals) {
        const width = Math.min(box.right, rival.right) - Math.max(box.left, rival.left);
        const height = Math.min(box.bottom, rival.bottom) - Math.max(box.top, rival.top);
        // The margins of controls may overlap, their texts may not.
        if (width > 2 && height > 2) found.push(`${name(element)} lies upon ${name(other)}`);
      }
    }
  }
  return [...new Set(found)];
}
