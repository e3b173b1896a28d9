import { use, useId } from 'react';
import { normalizeDisplayName } from '#contract/profile-text.ts';
import { Field } from '../../forms/fields.tsx';
import { FormHostContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { type Act, formProblem } from '../../forms/page-module.ts';
import { changeProfile } from './change-profile.ts';
import styles from './name-question.module.css';

/** An empty name shows no error, but the form cannot be sent. */
const judge = (typed: string) => {
  const line = normalizeDisplayName(typed);
  return line.ok ? { isGood: line.text !== null } : { isGood: false, error: line.reason };
};

/** The acts of a page that asks for the name first. */
export const nameActs = {
  async name({ call }, { display_name = '' }) {
    if (display_name.trim() === '') throw formProblem('Введите имя.');
    return { user: await changeProfile(call, { display_name }) };
  },
  nameLater: async ({ call }) => ({ user: await changeProfile(call, { name_later: true }) }),
} satisfies Record<string, Act>;

/** Asks a person without a name for one. The page has `nameActs`, and shows its next step when the question is answered or put off. */
export function NameQuestion({ why }: { why: string }) {
  const id = useId();
  const host = use(FormHostContext);
  return (
    // `true` makes the act quiet: only the person's data changes, no message is shown, and a layer stays open.
    <FormHostContext value={{ ...host, send: (fields) => host.send(fields, true) }}>
      <section className={styles.question} aria-labelledby={id}>
        <h2 id={id} className={styles.title}>
          Как вас называть?
        </h2>
        <p className={styles.why}>{why}</p>
        <div className={styles.answer}>
          <Form act="name" submit="Готово" errorAt="display_name">
            <Field name="display_name" label="Имя любыми буквами" autoComplete="name" check={judge} />
          </Form>
        </div>
        <div className={styles.later}>
          <Form act="nameLater" submit="Не сейчас" variant="plain" isInline />
        </div>
      </section>
    </FormHostContext>
  );
}
