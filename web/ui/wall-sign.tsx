import { nameOf, useClientSettings } from '../lib/client-settings.ts';
import { BrickMark } from './icon.tsx';
import styles from './wall-sign.module.css';

/** The bricks, or the emoji that the owner has chosen, on a tile. */
export function WallMark() {
  const { mark } = useClientSettings();
  return (
    <span className={styles.mark} aria-hidden="true">
      {mark ?? <BrickMark />}
    </span>
  );
}

/** Whose wall this is: its name and its line. Nothing for a wall that has neither. */
export function WallSign() {
  const settings = useClientSettings();
  const { line } = settings;
  const name = nameOf(settings);
  if (!name && !line) return null;
  return (
    <p className={styles.sign} dir="auto">
      {name && <b>{name}</b>}
      {name && line && ' '}
      {line && <span>{line}</span>}
    </p>
  );
}
