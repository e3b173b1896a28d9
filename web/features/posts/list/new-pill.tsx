import { useEffect, useEffectEvent, useRef } from 'react';
import { announce } from '../../../ui/announce.ts';
import { Button } from '../../../ui/button.tsx';
import styles from './new-pill.module.css';

interface NewPillProps {
  label: string;
  busy?: boolean;
  /** Shown instead of the label. */
  failure?: string | undefined;
  onClick: () => void;
}

/** When screen readers are told about the first new post, and how often about more of them. */
const announceSoonMs = 1_000;
const announceAgainMs = 30_000;

/** A button over the list that says how many new posts there are. It takes no space, so nothing moves when it appears. */
export function NewPill({ label, busy = false, failure, onClick }: NewPillProps) {
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
    <div className={styles.place}>
      <div className={styles.pill}>
        <Button variant="primary" busy={busy} onClick={onClick}>
          {failure ?? label}
        </Button>
      </div>
    </div>
  );
}
