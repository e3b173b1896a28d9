import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { KeysDialog } from './keys-dialog.tsx';

/** In a root of its own: what every reader loads knows nothing of it. */
export function showKeys(): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  // At once: a second press must find it open.
  flushSync(() => root.render(createElement(KeysDialog, { onClose: close })));
}
