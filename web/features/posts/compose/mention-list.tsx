import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Owner } from '#contract/posts.ts';
import { Face } from '../../../ui/face.tsx';
import listbox from '../../../ui/select-listbox.module.css';
import styles from './mention-list.module.css';
import { placeBeside } from './place-beside.ts';

interface MentionListProps {
  id: string;
  /** The list stands over the page at its edge. */
  field: RefObject<HTMLTextAreaElement | null>;
  people: readonly Owner[];
  /** The index of the person whom a key takes. */
  active: number;
  onMove: (index: number) => void;
  onTake: (person: Owner) => void;
}

/** The id of an option, for `aria-activedescendant`. */
export const optionId = (listId: string, index: number): string => `${listId}${index}`;

/** The people who are suggested while a mention is typed. The focus stays in the text area. */
export function MentionList({ id, field, people, active, onMove, onTake }: MentionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current!.togglePopover(true);
    return placeBeside(list.current!, field.current!);
  });
  useLayoutEffect(() => {
    list.current!.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  return (
    <div
      ref={list}
      id={id}
      className={styles.list}
      role="listbox"
      tabIndex={-1}
      aria-label="Кого упомянуть"
      popover="manual"
      // A click must not move the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {people.map((person, index) => (
        <div
          key={person.id}
          id={optionId(id, index)}
          className={`${listbox.option} ${styles.person}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // A finger scrolls the list.
          onPointerMove={({ pointerType }) => pointerType === 'mouse' && onMove(index)}
          onClick={() => onTake(person)}
        >
          <Face id={person.id} />
          {person.display_name !== null && <bdi className={styles.name}>{person.display_name}</bdi>}
          <bdi className={styles.username}>@{person.username}</bdi>
        </div>
      ))}
    </div>
  );
}
