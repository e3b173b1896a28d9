import { limits } from '#contract/limits.ts';

/**
 * Keeps a list at the edge of a field, in the part of the window that no keyboard covers, until the returned function is
 * called: below the field, unless there is more room above it and too little below. The list is in the top layer. Not by
 * CSS anchors: they do not know of a keyboard that lies over the page.
 */
export function placeBeside(list: HTMLElement, field: HTMLElement): () => void {
  const viewport = window.visualViewport;
  const place = () => {
    const { top, bottom, left, width } = field.getBoundingClientRect();
    const start = viewport?.offsetTop ?? 0;
    const above = top - start;
    const below = start + (viewport?.height ?? innerHeight) - bottom;
    const enough = limits.suggestions * (list.firstElementChild?.clientHeight ?? 0);
    const isAbove = below < enough && below < above;
    list.toggleAttribute('data-above', isAbove);
    list.style.setProperty('--edge', `${isAbove ? top : bottom}px`);
    list.style.setProperty('--start', `${left}px`);
    list.style.setProperty('--width', `${width}px`);
    list.style.setProperty('--room', `${isAbove ? above : below}px`);
  };

  place();
  const onEach = (change: 'addEventListener' | 'removeEventListener') => {
    viewport?.[change]('resize', place);
    viewport?.[change]('scroll', place);
    window[change]('resize', place);
    window[change]('scroll', place, true);
  };
  onEach('addEventListener');
  return () => onEach('removeEventListener');
}
