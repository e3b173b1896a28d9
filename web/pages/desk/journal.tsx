import { excerpt } from '#contract/text-parts.ts';
import type { JournalEntry } from '#contract/moderation.ts';
import { actionName, detailsOf, targetOf } from '../../features/moderation/keeper-entry.ts';
import { ActLink, DeskFrame } from './desk-frame.tsx';
import { page, cursorIn } from '../../forms/page-module.ts';
import { useMounted } from '../../lib/observable.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import { NextLink } from '../../ui/next-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import desk from './desk.module.css';
import styles from './journal.module.css';

const shownLength = 160;

/** The acts of moderators, owners and operators, latest first. */
export const journal = page({
  load: ({ call, query }) => call('GET /moderation/journal', { query: cursorIn(query) }),
  View: ({ query, acts, next }) => (
    <DeskFrame section="journal">
      {acts.length === 0 ? (
        <Notice title="Журнал пуст" text="Здесь будет видно, кто что сделал и почему." />
      ) : (
        <ul className={desk.list} aria-label="Журнал">
          {acts.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <NextLink query={query} next={next} />
    </DeskFrame>
  ),
});

function Entry({ entry }: { entry: JournalEntry }) {
  const target = targetOf(entry);
  const details = detailsOf(entry, useMounted());
  const id = `act-${entry.id}`;
  return (
    <li id={id} tabIndex={-1} className={desk.row}>
      <p className={styles.action}>
        {actionName(entry)}
        {target && (target.href === undefined ? `: ${target.text}` : <TargetLink {...target} href={target.href} />)}
      </p>
      {entry.post && (
        <blockquote className={styles.post} dir="auto">
          {excerpt(entry.post.text, shownLength)}
        </blockquote>
      )}
      {entry.reason !== '' && <p dir="auto">{entry.reason}</p>}
      <p className={desk.quiet}>
        <bdi>{entry.by}</bdi> · <LocalTime at={entry.at} />
        {details !== '' && ` · ${details}`}
      </p>
      {entry.undo && (
        <ActLink name="undo" of={entry.id} describedBy={id}>
          Отменить решение
        </ActLink>
      )}
    </li>
  );
}

function TargetLink({ href, text }: { href: string; text: string }) {
  return (
    <>
      {': '}
      <a href={href} className={styles.target}>
        <bdi>{text}</bdi>
      </a>
    </>
  );
}
