import assert from 'node:assert/strict';

export const wordsOf = (element: Element): string => element.textContent.replaceAll(/\s+/g, ' ').trim();

/** The first element with these words. With `after`, the first one inside or after the element that contains those words. */
export function elementIn(root: Element, selector: string, words: string, after?: string): Element {
  const anchor =
    after === undefined
      ? undefined
      : [...root.querySelectorAll('article, li, section, p')].find((element) => wordsOf(element).includes(after));
  const found = [...root.querySelectorAll(selector)].find(
    (element) =>
      wordsOf(element) === words &&
      (!anchor || anchor.contains(element) || (anchor.compareDocumentPosition(element) & 4) !== 0),
  );
  assert.ok(found, `«${words}» in ${wordsOf(root)}`);
  return found;
}

/** The field with a label. */
export function fieldOf(form: Element, label: string): Element {
  const element = [...form.querySelectorAll('label')].find((one) => wordsOf(one) === label);
  assert.ok(element, `field «${label}»`);
  return element.querySelector('input') ?? form.querySelector(`[id="${element.getAttribute('for')}"]`)!;
}
