interface Box {
  top: number;
  bottom: number;
}

interface Page {
  /** The height of the window. */
  height: number;
  /** The part of the window that the header covers. */
  covered: number;
  /** How far the page can be scrolled up and down, px. */
  above: number;
  below: number;
}

/** What is read stands in the middle half of the window. The first and the last posts of a page never get there by scrolling. */
const edge = 0.25;

/** Whether half of the card is in the middle of the window, or the card fills half of the middle. */
export function isInMiddle({ top, bottom }: Box, { height, covered, above, below }: Page): boolean {
  const start = Math.max(covered, Math.min(height * edge, above));
  const end = height - Math.min(height * edge, below);
  const seen = Math.min(bottom, end) - Math.max(top, start);
  return seen > 0 && seen >= Math.min(bottom - top, end - start) / 2;
}
