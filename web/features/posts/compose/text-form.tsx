import type { KeyboardEvent, ReactNode } from 'react';
import styles from './text-form.module.css';

/** A form with a text area. Ctrl+Enter sends it, on a Mac also ⌘+Enter, as Enter starts a new line. */
export function TextForm({ onSubmit, children }: { onSubmit: () => Promise<void>; children: ReactNode }) {
  const sendByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <form
      className={styles.form}
      noValidate
      onKeyDown={sendByKey}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
    </form>
  );
}
