import type { ReactNode } from 'react';
import { useObservable } from '../../../lib/observable.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import styles from './desk.module.css';
import type { DeskList } from './desk-list.ts';

interface DeskItemsProps<Item> {
  list: Pick<DeskList<Item>, 'state' | 'more' | 'reload'>;
  /** The list's name for screen readers. */
  label: string;
  /** Shown while there are none. */
  empty: ReactNode;
  /** Above the first item. */
  about?: ReactNode;
  /** Below the last item, when all of them are loaded. */
  end?: ReactNode;
  children: (item: Item) => ReactNode;
}

/** A list of the desk with what is around it. */
export function DeskItems<Item>({ list, label, empty, about, end, children }: DeskItemsProps<Item>) {
  const { items, next } = useObservable(list.state);
  if (items.length === 0 && next === null) return empty;
  return (
    <>
      {about}
      <ul className={styles.list} aria-label={label}>
        {items.map(children)}
      </ul>
      <DeskListEnd list={list}>{end}</DeskListEnd>
    </>
  );
}

/** A button for more, why that has failed, or the children at the end of the list. */
export function DeskListEnd<Item>({ list, children }: Pick<DeskItemsProps<Item>, 'list'> & { children?: ReactNode }) {
  const { next, loading, failure } = useObservable(list.state);
  if (next === null && failure === null) return children;
  return (
    <div className={styles.end}>
      <FormError>{failure}</FormError>
      <Button busy={loading} onClick={() => void (next === null ? list.reload() : list.more())}>
        {failure === null ? 'Показать ещё' : 'Повторить'}
      </Button>
    </div>
  );
}
