import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './check-box.module.css';
import { FormError } from './form-error.tsx';

interface CheckBoxProps {
  checked: boolean;
  disabled: boolean;
  /** Moves the focus to the box when it appears. */
  error: string | null;
  onCheck: (checked: boolean) => void;
  /** The text beside it, which may have links. */
  children: ReactNode;
}

export function CheckBox({ checked, disabled, error, onCheck, children }: CheckBoxProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (error !== null) box.current?.focus();
  }, [error]);

  return (
    <div>
      <label className={styles.label}>
        <input
          ref={box}
          type="checkbox"
          className={styles.box}
          checked={checked}
          disabled={disabled}
          required
          aria-invalid={error !== null}
          aria-describedby={id}
          onChange={({ target }) => onCheck(target.checked)}
        />
        <span>{children}</span>
      </label>
      <div id={id}>
        <FormError>{error}</FormError>
      </div>
    </div>
  );
}
