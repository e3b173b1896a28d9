import { useEffect, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { Check, Field } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useClientSettings } from '../../lib/client-settings.ts';
import { clientToken } from '../session/client-token.ts';
import { emailProblem } from '#contract/email.ts';
import { codeWithoutMail } from './who-may-come.ts';

interface EmailFieldProps {
  label: string;
  value?: string | undefined;
  describedBy?: string;
  takesFocus?: boolean;
}

const judge = (typed: string) => {
  const problem = emailProblem(typed);
  return problem === null ? { isGood: true } : { isGood: false, error: problem };
};

/** An address to send a code to. It is checked when the person leaves, sends or empties the field, or stops typing. */
export function EmailField({ value = '', ...rest }: EmailFieldProps) {
  useEffect(() => {
    // Computes the token while the address is typed, because it takes a second on a slow phone. A failure is shown when the token is needed.
    const compute = (): void => void clientToken().catch(() => {});
    addEventListener('input', compute, { once: true });
    return () => removeEventListener('input', compute);
  }, []);
  return (
    <Field
      {...rest}
      name="email"
      value={value}
      // The type is not `email`, because browsers change the value of such fields.
      inputMode="email"
      autoComplete="email"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={limits.emailLength}
      isPatient
      check={judge}
    />
  );
}

interface InviteFieldProps {
  value?: string | undefined;
  describedBy: string;
  /** The invitation is the only field of the step: it takes the focus and must not be empty. */
  isOnlyField?: boolean;
}

export const InviteField = ({ value = '', describedBy, isOnlyField = false }: InviteFieldProps) => (
  <Field
    name="invite"
    label="Код приглашения"
    value={value}
    describedBy={describedBy}
    autoCapitalize="characters"
    autoComplete="off"
    spellCheck={false}
    takesFocus={isOnlyField}
    {...(isOnlyField && { check: isTyped })}
  />
);

/** Asks a visitor for the address. A new address gets an account; a known one signs in. */
export function EntranceForm({ takesFocus = false }: { takesFocus?: boolean }) {
  const { consent } = useClientSettings();
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the keyboard would cover the page before it is read.
    if (takesFocus && matchMedia('(pointer: fine)').matches) field.current!.querySelector('input')!.focus();
  }, [takesFocus]);
  return (
    <Form act="start" submit="Получить код" errorAt="email">
      <div ref={field}>
        <EmailField label="Электронная почта" />
      </div>
      <Consent hash={consent} />
    </Form>
  );
}

const isTyped = (typed: string) => ({ isGood: typed.trim() !== '' });

/** The end of a sentence that says a code is needed. */
export function CodeGoesTo({ email }: { email: string }) {
  const { hasNoMail } = useClientSettings();
  return hasNoMail ? (
    `. ${codeWithoutMail}`
  ) : (
    <>
      : пришлём его на <b>{email}</b>.
    </>
  );
}

/** `hash` is that of the text to agree to, undefined if no consent is needed. */
export const Consent = ({ hash }: { hash: string | undefined }) =>
  hash !== undefined && (
    <Check name="consent" value={hash}>
      Я согласен(на) на{' '}
      <a href={addresses.wallText.href({ name: 'consent' })} target="_blank">
        обработку персональных данных
      </a>
    </Check>
  );
