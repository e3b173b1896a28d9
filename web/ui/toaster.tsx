import { useEffect, useRef } from 'react';
import { useObservable } from '../lib/observable.ts';
import { toasts } from '../lib/toasts.ts';
import styles from './toaster.module.css';

/** Shows the toasts. A toast stays while the pointer is over it or its link or button has the focus. The live region is always rendered. */
export function Toaster() {
  const toast = useObservable(toasts.shown);
  const pointer = useHold(toast !== null);
  const focus = useHold(toast !== null);

  return (
    <div role="status" className={styles.region}>
      {toast && (
        <p
          className={styles.toast}
          onPointerEnter={pointer.begin}
          onPointerLeave={pointer.end}
          onFocus={focus.begin}
          onBlur={focus.end}
        >
          {toast.text}
          {toast.link && (
            <a href={toast.link.href} className={styles.link} onClick={toasts.close}>
              {toast.link.text}
            </a>
          )}
          {toast.Button && <toast.Button {...toast} />}
        </p>
      )}
    </div>
  );
}

/** Stops the toasts' time from `begin` to `end`. */
function useHold(isShown: boolean) {
  const release = useRef<() => void>(null);
  const begin = () => {
    release.current ??= toasts.hold();
  };
  const end = () => {
    release.current?.();
    release.current = null;
  };

  // The browser sends no event when an element under the pointer is removed.
  useEffect(() => {
    if (isShown) return;
    release.current?.();
    release.current = null;
  }, [isShown]);

  return { begin, end };
}
