type Walk = (step: 1 | -1) => void;

let walk: Walk | undefined;

/** Set by the discussion on the screen, which knows the siblings of each reply. */
export function onWalkSiblings(walkInThread: Walk): () => void {
  walk = walkInThread;
  return () => {
    if (walk === walkInThread) walk = undefined;
  };
}

export const walkSiblings: Walk = (step) => walk?.(step);
