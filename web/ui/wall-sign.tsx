import { nameOf, useClientSettings } from '../lib/client-settings.ts';
import { BrickMark } from './icon.tsx';
import styles from './wall-sign.module.css';

/** The mark of the wall on a tile: the emoji that the owner has chosen, or the bricks. */
export function WallMark() {
  const { mark } = useClientSettings();
  return (
    <span className={styles.mark} aria-hidden="true">
      {mark ?? <BrickMark />}
    </span>
  );
}

/** The name and the line of the wall. Renders nothing if it has neither. */
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
