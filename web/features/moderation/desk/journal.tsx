import { useEffect, useRef, useState } from 'react';
import { excerpt } from '#contract/excerpt.ts';
import { type JournalEntry, undoAct } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { noBreaks } from '../../../lib/no-breaks.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type DeskAct, undoReasons } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { DeskItems } from './desk-items.tsx';
import type { DeskList } from './desk-list.ts';
import desk from './desk.module.css';
import { actionName, detailsOf, targetOf } from './describe-entry.ts';
import styles from './journal.module.css';
import { showAct } from './show-act.tsx';

const shownLength = 160;

/** Everything moderators and operators have done, latest first. */
export function Journal({ list }: { list: DeskList<JournalEntry> }) {
  const [act, setAct] = useState<DeskAct | null>(null);
  /** The entry that was undone in the open dialog. */
  const undone = useRef<string>(null);

  useEffect(() => {
    // The button with the focus is gone. While the dialog is open, nothing behind it can have the focus.
    if (act !== null || undone.current === null) return;
    document.getElementById(`act-${undone.current}`)?.focus({ preventScroll: true });
    undone.current = null;
  }, [act]);

  const undo = (entry: JournalEntry) =>
    setAct({
      title: 'Отменить решение',
      about: `${actionName(entry)}: ${entry.post?.text ?? targetOf(entry)?.text ?? ''}`,
      hint: 'Почему? Это останется в журнале.',
      reasons: undoReasons,
      isSwift: true,
      label: 'Отменить решение',
      async run(reason) {
        const { act_id: id } = await call(undoAct, { params: { id: entry.id }, body: { reason } });
        list.update((all) => all.map((other) => (other.id === entry.id ? { ...other, undo: false } : other)));
        showAct(id, 'Решение отменено');
        undone.current = entry.id;
      },
    });

  const empty = <Notice title="Журнал пуст" text="Здесь будет видно, кто что сделал и почему." />;
  return (
    <>
      <DeskItems list={list} label="Журнал" empty={empty}>
        {(entry) => (
          <li key={entry.id} id={`act-${entry.id}`} tabIndex={-1} className={desk.row}>
            <Entry entry={entry} onUndo={() => undo(entry)} />
          </li>
        )}
      </DeskItems>
      <ActDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}

function Entry({ entry, onUndo }: { entry: JournalEntry; onUndo: () => void }) {
  const target = targetOf(entry);
  const details = detailsOf(entry);
  return (
    <>
      <p className={styles.action}>
        {actionName(entry)}
        {target && (target.href === undefined ? `: ${target.text}` : <TargetLink {...target} href={target.href} />)}
      </p>
      {entry.post && (
        <blockquote className={styles.post} dir="auto">
          {noBreaks(excerpt(entry.post.text, shownLength))}
        </blockquote>
      )}
      {entry.reason !== '' && <p dir="auto">{entry.reason}</p>}
      <p className={desk.quiet}>
        <bdi>{entry.by}</bdi> · <time dateTime={machineTime(entry.at)}>{exactTime(entry.at)}</time>
        {details !== '' && ` · ${details}`}
      </p>
      {entry.undo && (
        <Button aria-haspopup="dialog" aria-describedby={`act-${entry.id}`} onClick={onUndo}>
          Отменить решение
        </Button>
      )}
    </>
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
