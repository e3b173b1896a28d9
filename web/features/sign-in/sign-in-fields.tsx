import { useEffect } from 'react';
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
    // Computes the token while the address is typed. A failure is shown when the token is needed.
    void clientToken().catch(() => {});
  }, []);
  return (
    <Field
      {...rest}
      name="email"
      value={value}
      // Not type=email: browsers change the value of such fields.
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
  /** The step asks for nothing else. */
  isAsked?: boolean;
}

export const InviteField = ({ value = '', describedBy, isAsked = false }: InviteFieldProps) => (
  <Field
    name="invite"
    label="Код приглашения"
    value={value}
    describedBy={describedBy}
    autoCapitalize="characters"
    autoComplete="off"
    spellCheck={false}
    takesFocus={isAsked}
    {...(isAsked && { check: isTyped })}
  />
);

/** Asks a visitor for the address: a new one gets an account, somebody with an account signs in. */
export function EntranceForm() {
  const { consent } = useClientSettings();
  return (
    <Form act="start" submit="Получить код" errorAt="email">
      <EmailField label="Электронная почта" />
      <Consent hash={consent} />
    </Form>
  );
}

const isTyped = (typed: string) => ({ isGood: typed.trim() !== '' });

/** Ends a sentence that says a code is needed. */
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

/** `hash`: of the text that one agrees to; undefined where none is needed. */
export const Consent = ({ hash }: { hash: string | undefined }) =>
  hash !== undefined && (
    <Check name="consent" value={hash}>
      Я согласен(на) на{' '}
      <a href={addresses.wallText.href({ name: 'consent' })} target="_blank">
        обработку персональных данных
      </a>
    </Check>
  );
