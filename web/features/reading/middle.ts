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

/**
 * Whether half of the card is in the middle of the window, without an `edge` of this share at its top and at its bottom, or the
 * card fills half of the middle. The first and the last posts of a page never leave the edges by scrolling.
 */
export function isInMiddle({ top, bottom }: Box, { height, covered, above, below }: Page, edge: number): boolean {
  const start = Math.max(covered, Math.min(height * edge, above));
  const end = height - Math.min(height * edge, below);
  const seen = Math.min(bottom, end) - Math.max(top, start);
  return seen > 0 && seen >= Math.min(bottom - top, end - start) / 2;
}
