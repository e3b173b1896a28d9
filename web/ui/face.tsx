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

/** In degrees: eight hues that are easy to distinguish. */
const hueStep = 45;

/** A pattern of bricks derived from the author's name, so that authors are easy to distinguish. */
export function Face({ name }: { name: string }) {
  const hash = hashOf(name.toLowerCase());
  const isSolid = (brick: number) => (hash >>> brick) & 1;
  const draw = (solid: number) => bricks.filter((_, brick) => isSolid(brick) === solid).join('');
  return (
    <svg
      className={styles.face}
      viewBox="0 0 23 23"
      fill={`oklch(.62 .09 ${(hash >>> 29) * hueStep})`}
      aria-hidden="true"
    >
      <path d={draw(1)} />
      <path d={draw(0)} opacity=".3" />
    </svg>
  );
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  // Its lower bits hardly depend on the first letters.
  return (hash ^ (hash >>> 15)) >>> 0;
}
