import type { Window } from 'happy-dom';

const height = 100;
const enough = 1_000_000;

/** Which share of an element is in its window. The windows have one prototype of elements. */
const shareOf = new WeakMap<Element, number>();

/**
 * Without layout nothing is in the window until a test says so. Returns how it does. All posts of a list are in the document:
 * the window is high enough for them.
 */
export function addViewport(window: Window): (element: Element, share?: number) => void {
  const observers = new Set<IntersectionObserver>();
  const shares = new Map<Element, number>();

  class IntersectionObserver {
    targets = new Set<Element>();
    report: (entries: object[]) => void;

    constructor(report: (entries: object[]) => void) {
      this.report = report;
      observers.add(this);
    }

    observe(element: Element): void {
      this.targets.add(element);
      const seen = [...shares].findLast(([part]) => element.contains(part));
      if (seen) window.queueMicrotask(() => this.report([entryOf(seen[1])]));
    }

    unobserve(element: Element): void {
      this.targets.delete(element);
    }

    disconnect(): void {
      observers.delete(this);
    }
  }

  class ResizeObserver {
    #report: (entries: object[]) => void;

    constructor(report: (entries: object[]) => void) {
      this.#report = report;
    }

    observe(target: Element): void {
      const contentRect = { height: target.matches('html') ? enough : height };
      window.queueMicrotask(() => this.#report([{ target, contentRect }]));
    }

    unobserve(): void {}
    disconnect(): void {}
  }
  Object.assign(window, { IntersectionObserver, ResizeObserver });
  // A list shows what it has measured.
  Object.defineProperty(window.HTMLElement.prototype, 'offsetParent', {
    configurable: true,
    get(this: Element) {
      return this.parentElement;
    },
  });
  Object.defineProperty(window.HTMLHtmlElement.prototype, 'clientHeight', { value: enough });

  const entryOf = (share: number) => ({
    isIntersecting: share > 0,
    intersectionRect: { height: height * share },
    boundingClientRect: { height },
    rootBounds: { height: window.innerHeight },
  });
  Object.defineProperty(window.Element.prototype, 'getBoundingClientRect', {
    configurable: true,
    value(this: Element) {
      const share = shareOf.get(this);
      // The rest of what is in the window is above it.
      const bottom = (share ?? 0) * height;
      return new window.DOMRect(0, share === undefined ? 0 : bottom - height, 0, share === undefined ? 0 : height);
    },
  });
  return (element, share = 1) => {
    shares.set(element, share);
    shareOf.set(element, share);
    window.dispatchEvent(new window.Event('scroll'));
    for (const { targets, report } of observers)
      if ([...targets].some((target) => target.contains(element))) report([entryOf(share)]);
  };
}
