import type { ReactNode } from 'react';
import { useObservable } from '../../../lib/observable.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import styles from './desk-list-end.module.css';
import type { DeskList } from './desk-list.ts';

/** Below the last item: a button for more, why that has failed, or the children at the end of the list. */
export function DeskListEnd<Item>({ list, children }: { list: DeskList<Item>; children?: ReactNode }) {
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
