type Walk = (step: 1 | -1) => void;

let walk: Walk | undefined;

/** The discussion on the screen knows which reply stands beside another one. */
export function onWalkSiblings(walkInThread: Walk): () => void {
  walk = walkInThread;
  return () => {
    if (walk === walkInThread) walk = undefined;
  };
}

export const walkSiblings: Walk = (step) => walk?.(step);
