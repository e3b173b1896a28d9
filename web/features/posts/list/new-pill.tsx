import { useEffect, useEffectEvent, useRef } from 'react';
import { showLiveMessage } from '../../../ui/live-message.ts';
import { Button } from '../../../ui/button.tsx';
import type { Shortcut } from '../../shortcuts/shortcut.ts';
import styles from './new-pill.module.css';

interface NewPillProps {
  label: string;
  busy?: boolean;
  /** Shown instead of the label. */
  failure?: string | undefined;
  /** The key that presses it. */
  shortcut?: Shortcut;
  variant?: 'primary' | 'quiet';
  onClick: () => void;
}

/** When the first live message about new posts comes, and the time between later ones. */
const firstMessageMs = 1_000;
const nextMessageMs = 30_000;

/** A button that says how many new posts there are. It stands in `Pills`. */
export function NewPill({ label, busy = false, failure, shortcut, variant = 'primary', onClick }: NewPillProps) {
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
      <Button variant={variant} busy={busy} aria-keyshortcuts={shortcut} onClick={onClick}>
        {failure ?? label}
      </Button>
    </div>
  );
}
