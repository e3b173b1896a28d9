import type { ComponentProps, ReactNode } from 'react';
import { useObservable } from '../../../lib/observable.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DeskItems } from './desk-items.tsx';
import styles from './queue.module.css';

interface QueueItemsProps<Item> extends Omit<ComponentProps<typeof DeskItems<Item>>, 'empty'> {
  empty: { title: string; text: string };
  /** The button that loads the list again. */
  reload?: Required<Pick<ComponentProps<typeof Button>, 'variant' | 'children'>>;
  /** Above that button, when all items are loaded. */
  end?: ReactNode;
}

/** A list of what is to be decided. It can be loaded again where it is empty and at its end. */
export function QueueItems<Item>({
  list,
  empty,
  reload = { variant: 'quiet', children: 'Обновить' },
  end,
  ...items
}: QueueItemsProps<Item>) {
  const { loading, failure } = useObservable(list.state);
  const button = (
    <Button variant={reload.variant} busy={loading} onClick={() => void list.reload()}>
      {reload.children}
    </Button>
  );
  return (
    <DeskItems
      {...items}
      list={list}
      empty={<Notice title={empty.title} text={failure ?? empty.text} action={button} />}
      end={
        <div className={styles.end}>
          {end}
          {button}
        </div>
      }
    />
  );
}
