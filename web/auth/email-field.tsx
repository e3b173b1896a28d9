import { useEffect, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { FormField } from '../ui/form-field.tsx';
import { clientToken } from './client-token.ts';
import { emailProblem } from './email-problem.ts';

interface EmailFieldProps {
  label: string;
  value: string;
  /** What else is wrong with it than its form. */
  error: string | null;
  readOnly: boolean;
  describedBy: string;
  onType: (typed: string) => void;
}

/** Whoever stops typing for so long wants to know what is wrong. */
const typingPauseMs = 1_000;

/** An address that a code will go to. It is judged once it was left, sent or emptied, or after a while. */
export function EmailField({ value, error, onType, ...rest }: EmailFieldProps) {
  const [judged, setJudged] = useState(false);
  const judge = () => setJudged(true);

  useEffect(() => {
    // On its way while the address is being typed. What fails here is told when it is needed.
    void clientToken().catch(() => {});
  }, []);

  useEffect(() => {
    if (value === '') return undefined;
    const timer = setTimeout(() => setJudged(true), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);

  const type = (typed: string) => {
    onType(typed);
    if (typed === '') judge();
  };
  // The field keeps the focus of the page when only the window loses it.
  const leave = ({ target }: FocusEvent) => {
    if (target !== document.activeElement) judge();
  };
  // A disabled button takes no Enter.
  const enter = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') judge();
  };

  return (
    <FormField
      {...rest}
      data-autofocus
      error={error ?? (judged ? emailProblem(value) : null)}
      // Not type=email: browsers rewrite what is typed there.
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
