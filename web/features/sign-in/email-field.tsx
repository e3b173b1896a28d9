import { useEffect, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { FormField } from '../../ui/form-field.tsx';
import { clientToken } from '../session/client-token.ts';
import { emailProblem } from './email-problem.ts';

interface EmailFieldProps {
  label: string;
  value: string;
  /** An error found by the server or the network. */
  error: string | null;
  readOnly: boolean;
  describedBy: string;
  onType: (typed: string) => void;
}

/** The pause in typing after which the address is checked. */
const typingPauseMs = 1_000;

/** An address to send a code to. It is checked when the person leaves, sends or empties the field, or stops typing. */
export function EmailField({ value, error, onType, ...rest }: EmailFieldProps) {
  const [isChecked, setIsChecked] = useState(false);
  const check = () => setIsChecked(true);

  useEffect(() => {
    // Computes the token while the address is typed. A failure is shown when the token is needed.
    void clientToken().catch(() => {});
  }, []);

  useEffect(() => {
    if (value === '') return undefined;
    const timer = setTimeout(() => setIsChecked(true), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);

  const type = (typed: string) => {
    onType(typed);
    if (typed === '') check();
  };
  // When only the window loses the focus, the field remains the active element.
  const leave = ({ target }: FocusEvent) => {
    if (target !== document.activeElement) check();
  };
  // Enter does not submit a form whose button is disabled.
  const enter = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') check();
  };

  return (
    <FormField
      {...rest}
      data-autofocus
      error={error ?? (isChecked ? emailProblem(value) : null)}
      // Not type=email: browsers change the value of such fields.
      inputMode="email"
      autoComplete="email"
      autoCapitalize="off"
      spellCheck={false}
      value={value}
      onChange={(event) => type(event.target.value)}
      onBlur={leave}
      onKeyDown={enter}
    />
  );
}
