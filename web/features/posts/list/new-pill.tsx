import { useEffect, useEffectEvent, useRef } from 'react';
import { announce } from '../../../ui/announce.ts';
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

/** When screen readers are told about the first new post, and how often about more of them. */
const announceSoonMs = 1_000;
const announceAgainMs = 30_000;

/** A button that says how many new posts there are. It stands in `Pills`. */
export function NewPill({ label, busy = false, failure, shortcut, variant = 'primary', onClick }: NewPillProps) {
  const told = useRef('');
  const tell = useEffectEvent(() => {
    if (told.current === label) return;
    told.current = label;
    announce(label);
  });
  useEffect(() => {
    told.current = '';
    const soon = setTimeout(() => tell(), announceSoonMs);
    const again = setInterval(() => tell(), announceAgainMs);
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
