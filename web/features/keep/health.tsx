import type { Keep } from '#contract/keep.ts';
import { exactTime } from '../../lib/time.ts';
import { healthLines } from './health-lines.ts';
import { Section } from './section.tsx';
import styles from './section.module.css';

/** Backup, disk and version. */
export function Health({ health }: { health: Keep['health'] }) {
  return (
    <Section id="health" title="Здоровье">
      <dl className={styles.list}>
        {healthLines(health, exactTime).map(([name, value]) => (
          <div key={name}>
            <dt className={styles.quiet}>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
