const pauseMs = 5_000;

/** Resolves when a failed call may be repeated: when the network is back, or after a pause. */
export function networkOrPause(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, pauseMs);
    addEventListener('online', go);
  });
}
