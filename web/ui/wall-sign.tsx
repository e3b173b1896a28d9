import { nameOf, useClientSettings } from '../lib/client-settings.ts';
import { BrickMark } from './icon.tsx';
import styles from './wall-sign.module.css';

/** The bricks, or the emoji that the owner has chosen. */
export function WallMark() {
  const { mark } = useClientSettings();
  if (mark === undefined) return <BrickMark />;
  return (
    <span className={styles.mark} aria-hidden="true">
      {mark}
    </span>
  );
}

/** Whose wall this is: its name and its line. Nothing for a wall that has neither. */
export function WallSign({ place }: { place?: 'rail' | 'top' }) {
  const settings = useClientSettings();
  const { line } = settings;
  const name = nameOf(settings);
  if (!name && !line) return null;
  // Everything that can be read belongs to a landmark.
  const landmark = place === 'top' && { role: 'region', 'aria-label': 'Чья это стена' };
  return (
    <p {...landmark} className={`${styles.sign} ${place ? styles[place] : ''}`} dir="auto">
      {name && <b>{name}</b>}
      {name && line && ' '}
      {line && <span>{line}</span>}
    </p>
  );
}
