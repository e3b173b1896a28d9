import type { Keep } from '#contract/keep.ts';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { firstSteps, isFirstHour } from './first-step-names.ts';
import { Section } from './section.tsx';
import styles from './section.module.css';

/** The steps that a new wall still needs. The list is gone once everything is done. */
export function FirstSteps({ steps }: { steps: Keep['first_steps'] }) {
  if (!isFirstHour(steps)) return null;
  return (
    <Section id="first" title="С чего начать">
      <ol className={styles.list}>
        {firstSteps.map(({ step, name, href }) => (
          <li key={step} className={styles.step}>
            <span aria-hidden="true">{steps[step] ? '✓' : '○'}</span>
            {steps[step] ? (
              <span className={styles.quiet}>
                {name}
                <span className={visuallyHidden.always}>: сделано</span>
              </span>
            ) : (
              <a href={href}>{name}</a>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
