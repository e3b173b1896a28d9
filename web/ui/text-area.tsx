import { type ComponentProps, type Ref, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { CountedText } from './counted-text.tsx';
import visuallyHidden from './visually-hidden.module.css';
import styles from './text-area.module.css';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className' | 'ref'> {
  label: string;
  value: string;
  error: string | null;
  /** The number of remaining characters, negative if there are too many. Null while many remain. */
  remaining: number | null;
  fieldRef?: Ref<HTMLTextAreaElement>;
}

/** A text area that grows with its text. It has a label, and a line for its error and the number of remaining characters. */
export function TextArea({ label, value, error, remaining, fieldRef, ...rest }: TextAreaProps) {
  const id = useId();
  const noteId = `${id}note`;
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(fieldRef, () => field.current!, []);
  const over = remaining !== null && remaining < 0;
  const liveMessage = useLiveMessage(remaining);

  useLayoutEffect(() => {
    const end = field.current?.value.length ?? 0;
    field.current?.setSelectionRange(end, end);
  }, []);

  useLayoutEffect(() => {
    if (field.current && !CSS.supports('field-sizing', 'content')) fit(field.current);
  }, [value]);

  return (
    <div className={styles.field}>
      {/* The <div> gives the label a line of its own in text browsers. */}
      <div className={styles.label}>
        <label htmlFor={id}>{label}</label>
      </div>
      <textarea
        {...rest}
        ref={field}
        id={id}
        value={value}
        // The style sets a larger height. Without `rows`, w3m shows one line.
        rows={3}
        className={styles.input}
        aria-invalid={over || error !== null}
        aria-describedby={noteId}
      />
      <div id={noteId} className={styles.note}>
        <p role="alert" className={styles.error}>
          <CountedText text={error} />
        </p>
        {remaining !== null && (
          <p className={styles.remaining} data-over={over}>
            <span aria-hidden="true">{String(remaining).replace('-', '−')}</span>
            <span className={visuallyHidden.always}>{countInWords(remaining)}</span>
          </p>
        )}
      </div>
      <div role="status" className={visuallyHidden.always}>
        {liveMessage}
      </div>
    </div>
  );
}

/** Sets the height of the field, for browsers without `field-sizing`. */
function fit(field: HTMLTextAreaElement): void {
  field.style.blockSize = 'auto';
  const borders = field.offsetHeight - field.clientHeight;
  field.style.blockSize = `${field.scrollHeight + borders}px`;
}

/** The counts for which there is a live message. A message for each key would disturb the typing. */
const stages = [-1, 0, 10, 20, 50];

/** The live message about the remaining characters. It changes only when the next stage is reached. */
function useLiveMessage(remaining: number | null): string {
  const stage = remaining === null ? undefined : stages.find((reached) => remaining <= reached);
  const [message, setMessage] = useState({ stage, text: '' });
  if (stage !== message.stage) setMessage({ stage, text: remaining === null ? '' : countInWords(remaining) });
  return message.text;
}

function countInWords(remaining: number): string {
  return `${remaining < 0 ? 'Лишних символов' : 'Осталось символов'}: ${Math.abs(remaining)}`;
}
