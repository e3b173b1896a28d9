import type { CSSStyleDeclaration, Element, Window } from 'happy-dom';

/** How happy-dom displays elements of a tag, which takes it long to compute. */
const displayOf = new Map<string, string>();

/** Adds the style of what a browser does not display, and answers quickly how an element is displayed. */
export function addStyles(window: Window): void {
  const { document } = window;
  const style = document.createElement('style');
  style.textContent = 'dialog:not([open]), [popover]:not([data-open]) { display: none }';
  document.head.append(style);
  const compute = window.getComputedStyle.bind(window);
  window.getComputedStyle = (element) => {
    if (isSpecial(element) || document.adoptedStyleSheets.length > 0) return compute(element);
    if (isClosedMenu(element)) return simple('none');
    const display = displayOf.get(element.tagName) ?? compute(element).display;
    displayOf.set(element.tagName, display);
    return simple(display);
  };
}

/** Its tag alone does not decide how it is displayed. */
const isSpecial = (element: Element): boolean =>
  !element.isConnected || element.tagName === 'DIALOG' || element.hasAttribute('style');

const isClosedMenu = (element: Element): boolean =>
  element.hasAttribute('popover') && !element.hasAttribute('data-open');

const simple = (display: string): CSSStyleDeclaration =>
  ({ display, getPropertyValue: (name: string) => (name === 'display' ? display : '') }) as CSSStyleDeclaration;
