import { useSyncExternalStore } from 'react';
import { lastSpoken, subscribeToSpeech } from './announce.ts';
import hidden from './hidden.module.css';

/** One for the page; `announce` fills it. */
export function LiveRegion() {
  const text = useSyncExternalStore(subscribeToSpeech, lastSpoken, () => '');
  return (
    <div role="status" className={hidden.always}>
      {text}
    </div>
  );
}
