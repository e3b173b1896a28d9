type Listener = () => void;

let spoken = '';
const listeners = new Set<Listener>();

/** Has screen readers say what only the eye can see, such as that more posts have come. The same again is said again. */
export function announce(text: string): void {
  spoken = text === spoken ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

export function lastSpoken(): string {
  return spoken;
}

export function subscribeToSpeech(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
