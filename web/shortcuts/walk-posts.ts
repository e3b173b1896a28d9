/** Gives the focus to the post so many steps from the one that has it, or else to the first in view. */
export function walkPosts(step: 1 | -1): void {
  const posts = [...document.querySelectorAll<HTMLElement>('article[aria-posinset]')];
  const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const current = document.activeElement?.closest<HTMLElement>('article[aria-posinset]');
  // Scrolled away from, it is no longer where one is.
  if (current && isInView(current, top)) posts[posts.indexOf(current) + step]?.focus();
  else firstInView(posts, top)?.focus();
}

/** The first that begins in view; where one fills the window, that one. */
function firstInView(posts: readonly HTMLElement[], top: number): HTMLElement | undefined {
  const inView = posts.filter((post) => isInView(post, top));
  return inView.find((post) => post.getBoundingClientRect().top >= top) ?? inView[0];
}

function isInView(post: HTMLElement, top: number): boolean {
  const box = post.getBoundingClientRect();
  return box.bottom > top && box.top < innerHeight;
}
