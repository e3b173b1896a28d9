import { faceColour } from './face-colour.ts';
import styles from './face.module.css';

/** Three courses of running bond on a grid of 23 units. */
const bricks = [
  'M0 0h11v7H0z',
  'M12 0h11v7H12z',
  'M0 8h5v7H0z',
  'M6 8h11v7H6z',
  'M18 8h5v7h-5z',
  'M0 16h11v7H0z',
  'M12 16h11v7H12z',
];

/** In degrees. */
const hueStep = 360 / 16;

/** A pattern of bricks derived from the person's id, so that authors are easy to distinguish. It survives a rename. */
export function Face({ id }: { id: string }) {
  const hash = hashOf(id);
  const isSolid = (brick: number) => (hash >>> brick) & 1;
  const draw = (solid: number) => bricks.filter((_, brick) => isSolid(brick) === solid).join('');
  return (
    <svg className={styles.face} viewBox="0 0 23 23" fill={faceColour((hash >>> 28) * hueStep)} aria-hidden="true">
      <path d={draw(1)} />
      <path d={draw(0)} opacity=".3" />
    </svg>
  );
}

/** Fibonacci hashing: people who came one after the other look different. */
const hashOf = (id: string): number => Math.imul(Number(id), 0x9e3779b1) >>> 0;
