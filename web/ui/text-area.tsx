import { useId, useLayoutEffect, useRef, type ComponentProps } from 'react';
import { CountedText } from './counted-text.tsx';
import hidden from './hidden.module.css';
import styles from './text-area.module.css';
import { countInWords, useToldCount } from './use-told-count.ts';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className' | 'ref'> {
  label: string;
  value: string;
  error: string | null;
  /** How much may still be typed, once that is worth knowing; negative where it is too much. */
  left: number | null;
}

/** Grows with its text. Owns its label, its error and the count of what is left, for which a line is kept free. */
export function TextArea({ label, value, error, left, ...rest }: TextAreaProps) {
  const id = useId();
  const noteId = `${id}note`;
  const field = useRef<HTMLTextAreaElement>(null);
  const over = left !== null && left < 0;
  const told = useToldCount(left);

  useLayoutEffect(() => {
    const end = field.current?.value.length ?? 0;
    field.current?.setSelectionRange(end, end);
  }, []);

  useLayoutEffect(() => {
    if (field.current && !CSS.supports('field-sizing', 'content')) fit(field.current);
  }, [value]);

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <textarea
        {...rest}
        ref={field}
        id={id}
        value={value}
        className={styles.input}
        aria-invalid={over || error !== null}
        aria-describedby={noteId}
      />
      <div id={noteId} className={styles.note}>
        <p role="alert" className={styles.error}>
          <CountedText text={error} />
        </p>
        {left !== null && (
          <p className={styles.left} data-over={over}>
            <span aria-hidden="true">{String(left).replace('-', '−')}</span>
            <span className={hidden.always}>{countInWords(left)}</span>
          </p>
        )}
      </div>
      <div role="status" className={hidden.always}>
        {told}
      </div>
    </div>
  );
}

/** For browsers whose text areas do not grow by themselves. */
function fit(field: HTMLTextAreaElement): void {
  field.style.blockSize = 'auto';
  const borders = field.offsetHeight - field.clientHeight;
  field.style.blockSize = `${field.scrollHeight + borders}px`;
}
