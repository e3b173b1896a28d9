import { createContext, Fragment, type ReactNode, use, useId } from 'react';
import { limits } from '#contract/limits.ts';
import type { FormFields, PlainRequest } from '#contract/page.ts';

type FormState = Pick<PlainRequest, 'hidden' | 'sent'> & {
  /** The page's own address. Without it w3m would leave out the query. */
  action: string;
};

export const FormStateContext = createContext<FormState>({ hidden: {}, sent: null, action: '' });

/** The fields sent with this form, if it was the last one sent. */
const SentContext = createContext<FormFields | null>(null);

interface FormProps {
  act: string;
  /** Distinguishes forms of a page with the same act. */
  id?: string;
  /** The words on the button. */
  submit: string;
  isQuiet?: boolean;
  children?: ReactNode;
}

/** Sends its fields to the page it is on. After an error it has what was typed. */
export function Form({ act, id, submit, isQuiet = false, children }: FormProps) {
  const { hidden, sent, action } = use(FormStateContext);
  const isThis = sent !== null && sent.fields['act'] === act && sent.fields['id'] === id;
  const fields = { ...hidden, act, ...(id !== undefined && { id }) };
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {isThis && sent.failed && (
        <p className="error" role="alert">
          {sent.message}
        </p>
      )}
      <SentContext value={isThis ? sent.fields : null}>{children}</SentContext>
      <button type="submit" className={isQuiet ? 'quiet' : undefined}>
        {submit}
      </button>
    </form>
  );
}

interface FieldProps {
  name: string;
  label: string;
  value?: string;
  tip?: string;
  inputMode?: 'email' | 'numeric';
  autoComplete?: string;
  maxLength?: number;
}

export function Field({ name, label, value = '', tip, ...input }: FieldProps) {
  const id = useId();
  const sent = use(SentContext);
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <br />
      <input id={id} name={name} defaultValue={sent?.[name] ?? value} {...input} />
      {tip !== undefined && <small>{tip}</small>}
    </p>
  );
}

export const EmailField = (props: Pick<FieldProps, 'label' | 'value'>) => (
  <Field name="email" inputMode="email" autoComplete="email" maxLength={limits.emailLength} {...props} />
);

interface TextFieldProps {
  label: string;
  value?: string;
}

/** The text of a post. Without scripts nothing counts its letters, so the limit is the server's. */
export function TextField({ label, value = '' }: TextFieldProps) {
  const id = useId();
  const sent = use(SentContext);
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <br />
      <textarea id={id} name="text" rows={6} defaultValue={sent?.['text'] ?? value} />
    </p>
  );
}

interface ChoicesProps {
  name: string;
  legend: string;
  choices: ReadonlyArray<{ id: string; name: string }>;
  chosen?: string;
}

export function Choices({ name, legend, choices, chosen }: ChoicesProps) {
  const sent = use(SentContext);
  return (
    <fieldset>
      <legend>{legend}</legend>
      <br />
      {choices.map((choice) => (
        <Fragment key={choice.id}>
          <label>
            <input type="radio" name={name} value={choice.id} defaultChecked={choice.id === (sent?.[name] ?? chosen)} />{' '}
            {choice.name}
          </label>
          <br />
        </Fragment>
      ))}
    </fieldset>
  );
}

interface CheckProps {
  name: string;
  value: string;
  checked?: boolean;
  children: ReactNode;
}

export const Check = ({ name, value, checked = false, children }: CheckProps) => (
  <p className="check">
    <label>
      <input type="checkbox" name={name} value={value} defaultChecked={checked} /> {children}
    </label>
  </p>
);

/** A value that the next step needs. */
export const Carried = ({ name, value }: { name: string; value: string }) => (
  <input type="hidden" name={name} value={value} />
);

export const CarriedFields = ({ fields }: { fields: FormFields }) =>
  Object.entries(fields).map(([name, value]) => <Carried key={name} name={name} value={value} />);
