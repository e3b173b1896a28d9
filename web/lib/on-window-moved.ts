/** Looks now and whenever what the window shows may have changed: for browsers that have no observer of it. */
export function onWindowMoved(look: () => void): () => void {
  look();
  addEventListener('scroll', look, { passive: true });
  addEventListener('resize', look);
  return () => {
    removeEventListener('scroll', look);
    removeEventListener('resize', look);
  };
}
