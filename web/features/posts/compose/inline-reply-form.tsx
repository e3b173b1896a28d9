import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { listen } from '../../../lib/listen.ts';
import { useObservable } from '../../../lib/observable.ts';
import styles from './inline-reply-form.module.css';
import { inlineReply } from './inline-reply.ts';
import { usePostForm } from './use-post-form.tsx';

export interface InlineReplyFormProps {
  /** Its place in the tree. */
  'data-depth'?: number;
  'data-line'?: number;
}

/** The form of a reply, after the card of what it answers. */
export function InlineReplyForm(place: InlineReplyFormProps) {
  const action = useObservable(inlineReply);
  const box = useRef<HTMLElement>(null);

  const close = () => {
    box.current?.previousElementSibling?.querySelector<HTMLElement>('[aria-keyshortcuts=R]')?.focus();
    inlineReply.set(null);
  };
  const { content, part } = usePostForm({ action, isInline: true, onClose: close });

  const isNew = action?.isNew ?? false;
  useLayoutEffect(() => {
    if (!isNew || part === 'loading') return;
    box.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
    // The form may leave the document and come back while the reader scrolls.
    const { quote: _, ...opened } = inlineReply.get()!;
    inlineReply.set({ ...opened, isNew: false });
  }, [isNew, part]);

  useEffect(() => {
    // The keyboard of a phone has made the window smaller.
    return listen(window, ['resize'], () => {
      if (box.current?.contains(document.activeElement)) box.current.scrollIntoView({ block: 'nearest' });
    });
  }, []);

  const closeByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };
  return (
    // A feed contains only articles.
    <article ref={box} className={styles.reply} aria-label="Ответ" onKeyDown={closeByKey} {...place}>
      {content}
    </article>
  );
}
