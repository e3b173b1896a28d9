import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { toasts } from '../lib/toasts.ts';
import styles from './toaster.module.css';

/** The region stands before it speaks. Whoever points at a toast or has come to its link may take their time. */
export function Toaster() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.shown, () => null);
  const release = useRef<() => void>(null);

  const resume = useCallback(() => {
    release.current?.();
    release.current = null;
  }, []);
  const pause = () => {
    release.current ??= toasts.hold();
  };

  // What is taken away under the pointer does not say that the pointer has left.
  useEffect(() => {
    if (toast === null) resume();
  }, [toast, resume]);

  return (
    <div role="status" className={styles.region}>
      {toast && (
        <p className={styles.toast} onPointerEnter={pause} onPointerLeave={resume} onFocus={pause} onBlur={resume}>
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
