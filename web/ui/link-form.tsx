import type { ReactNode } from 'react';
import styles from './link-form.module.css';

interface LinkFormProps {
  /** The address of the page. */
  to: string;
  /** The path to return to from there. */
  next?: string;
  children: ReactNode;
}

/** A form around a button that scripts handle. Without scripts the form opens a page. */
export function LinkForm({ to, next, children }: LinkFormProps) {
  return (
    <form method="get" action={to} className={styles.form} data-later onSubmit={(event) => event.preventDefault()}>
      {next !== undefined && <input type="hidden" name="next" value={next} />}
      {children}
    </form>
  );
}
