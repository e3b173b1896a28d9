import { useEffect, useRef, useSyncExternalStore } from 'react';
import { toasts } from '../lib/toasts.ts';
import styles from './toaster.module.css';

/** The region stands before it speaks. Whoever points at a toast or has come to its link may take their time. */
export function Toaster() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.shown, () => null);
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
            <a href={toast.link.href} className={styles.link} onClick={toasts.dismiss}>
              {toast.link.text}
            </a>
          )}
        </p>
      )}
    </div>
  );
}

/** One reason why time stands still. */
function useHold(isShown: boolean) {
  const release = useRef<() => void>(null);
  const begin = () => {
    release.current ??= toasts.hold();
  };
  const end = () => {
    release.current?.();
    release.current = null;
  };

  // What is taken away under the pointer does not say that the pointer has left.
  useEffect(() => {
    if (isShown) return;
    release.current?.();
    release.current = null;
  }, [isShown]);

  return { begin, end };
}
