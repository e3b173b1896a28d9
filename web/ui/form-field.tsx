import { useId, type ComponentProps } from 'react';
import { CountedText } from './counted-text.tsx';
import styles from './form-field.module.css';

interface FormFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  label: string;
  error: string | null;
  /** Shown while there is no error. */
  note?: string | null | undefined;
  /** The id of another description. */
  describedBy?: string;
}

/** An input with its label and a line reserved for its error, so that nothing moves when an error appears. */
export function FormField({ label, error, note, describedBy = '', ...input }: FormFieldProps) {
  const id = useId();
  const messageId = `${id}message`;
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
        aria-describedby={`${messageId} ${describedBy}`.trim()}
      />
      <div id={messageId} className={styles.message}>
        <p role="alert" className={styles.error}>
          <CountedText text={error} />
        </p>
        {note !== undefined && <p role="status">{error === null && note}</p>}
      </div>
    </div>
  );
}
