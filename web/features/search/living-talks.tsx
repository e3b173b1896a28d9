import { addresses } from '#contract/addresses.ts';
import type { Aside } from '#contract/posts.ts';
import { plural, replyForms } from '../../lib/counts.ts';
import { authorsOf, useShownLines } from '../posts/list/shown-lines.ts';
import { useBeside } from '../posts/store/beside.ts';
import styles from './living-talks.module.css';

const shownAtMost = 3;

interface LivingTalksProps {
  /** The discussions in the server's HTML. A page that is opened in the app takes those of the right column, or requests them. */
  first: Aside['discussed'] | undefined;
}

/** Discussions to read while nothing has been searched for. In a wide window the right column shows them instead. */
export function LivingTalks({ first }: LivingTalksProps) {
  const { aside } = useBeside(first === undefined);
  const lines = useShownLines()(aside?.discussed ?? first ?? []).slice(0, shownAtMost);
  return (
    lines.length > 0 && (
      <section className={styles.talks}>
        <h2>Сейчас обсуждают</h2>
        <ul>
          {lines.map((line) => (
            <li key={line.id}>
              <a href={addresses.post.href(line)} className={styles.line} data-author={authorsOf(line).join(' ')}>
                <span className={styles.text} dir="auto">
                  {line.text}
                </span>{' '}
                <span className={styles.count}>{plural(line.thread_count, replyForms)}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    )
  );
}
