import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Form } from '../../../ui/form.tsx';
import { fitAboveKeyboard } from './fit-above-keyboard.ts';
import styles from './text-form.module.css';

interface TextFormProps {
  onSubmit: () => Promise<void>;
  /** The error and the button, which always stay in sight. */
  end: ReactNode;
  children: ReactNode;
}

/** A form with a text area, in a dialog or in a discussion. Ctrl+Enter sends it, on a Mac also ⌘+Enter, as Enter starts a new line. */
export function TextForm({ onSubmit, end, children }: TextFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const dialog = form.current!.closest('dialog');
    return dialog ? fitAboveKeyboard(dialog) : undefined;
  }, []);

  const sendByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <Form ref={form} className={styles.form} data-fits onKeyDown={sendByKey} onSubmit={onSubmit}>
      {children}
      <div className={styles.end}>{end}</div>
    </Form>
  );
}
