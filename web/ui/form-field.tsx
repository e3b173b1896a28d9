import { useId, type ComponentProps } from 'react';
import styles from './form-field.module.css';

interface FormFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  label: string;
  error: string | null;
  /** The id of what else explains it. */
  describedBy?: string;
}

/** Owns its label and its error, and keeps a line free for the latter: nothing jumps when it comes. */
export function FormField({ label, error, describedBy = '', ...input }: FormFieldProps) {
  const id = useId();
  const errorId = `${id}error`;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className={styles.input}
        aria-invalid={error !== null}
        aria-describedby={`${errorId} ${describedBy}`.trim()}
      />
      <p id={errorId} role="alert" className={styles.error}>
        {error}
      </p>
    </div>
  );
}
