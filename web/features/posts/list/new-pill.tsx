import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { showLiveMessage } from '../../../ui/live-region.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Shortcut } from '../../shortcuts/shortcut.ts';
import styles from './new-pill.module.css';

/** `failed`: a click tries again. */
export type PillState = 'waiting' | 'busy' | 'failed';

interface NewPillProps {
  label: string;
  state?: PillState;
  /** The key that presses it. */
  shortcut?: Shortcut;
  variant?: 'primary' | 'quiet';
  onClick: () => void;
}

/** The time until the first live message with the label, and the time between later ones. */
const firstMessageMs = 1_000;
const nextMessageMs = 30_000;

/** A button over a list, for example one that says how many new posts there are. It stands in `Pills`. */
export function NewPill({ label, state = 'waiting', shortcut, variant = 'primary', onClick }: NewPillProps) {
  const last = useRef('');
  const showMessage = useEffectEvent(() => {
    if (last.current === label) return;
    last.current = label;
    showLiveMessage(label);
  });
  useEffect(() => {
    last.current = '';
    const soon = setTimeout(() => showMessage(), firstMessageMs);
    const again = setInterval(() => showMessage(), nextMessageMs);
    return () => {
      clearTimeout(soon);
      clearInterval(again);
    };
  }, []);

  return (
    <div className={styles.pill}>
      <Button variant={variant} busy={state === 'busy'} aria-keyshortcuts={shortcut} onClick={onClick}>
        {state === 'failed' ? 'Не удалось. Повторить' : label}
      </Button>
    </div>
  );
}

/** Buttons over the list, at the foot of the window. They take no space, so nothing moves when they appear. */
export const Pills = ({ children }: { children: ReactNode }) => (
  <div className={styles.place} data-pills>
    <div className={styles.pills}>{children}</div>
  </div>
);
