import { use, useId } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import formStyles from '../../forms/form.module.css';
import { FormHostContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { type Act, formProblem } from '../../forms/page-module.ts';
import { changeProfile } from './change-profile.ts';
import { FaceTiles, NameField } from './name-fields.tsx';
import styles from './name-fields.module.css';

/** What the fields of a name say. A username that was not chosen is left to the server. */
export const nameIn = ({ display_name = '', username }: Readonly<Record<string, string>>) => ({
  display_name,
  ...(username && { username }),
});

/** The acts of a page that asks for the name first. */
export const nameActs = {
  async name({ call }, fields) {
    const { display_name: name } = nameIn(fields);
    if (name.trim() === '') throw formProblem('Введите имя.');
    const { face } = fields;
    return { user: await changeProfile(call, { ...nameIn(fields), ...(face && { face }) }) };
  },
  nameLater: async ({ call }) => ({ user: await changeProfile(call, { name_later: true }) }),
} satisfies Record<string, Act>;

interface NameQuestionProps {
  user: CurrentUser;
  why?: string;
}

/** Asks a person without a name for one. The page has `nameActs`, and shows its next step when the question is answered or put off. */
export function NameQuestion({ user, why }: NameQuestionProps) {
  const id = useId();
  const host = use(FormHostContext);
  return (
    // `true` makes the act quiet: only the person's data changes, no message is shown, and a layer stays open.
    <FormHostContext value={{ ...host, send: (fields) => host.send(fields, true) }}>
      <section className={styles.question} aria-labelledby={id}>
        <div className={styles.head}>
          <h2 id={id}>Как вас называть?</h2>
          <Form act="nameLater" submit="Не сейчас" variant="plain" isInline />
        </div>
        {why !== undefined && <p className={formStyles.note}>{why}</p>}
        <div className={styles.answer}>
          <Form act="name" submit="Готово" errorAt="display_name">
            <NameField user={user} label="Имя любыми буквами" isRequired />
            <FaceTiles />
          </Form>
        </div>
      </section>
    </FormHostContext>
  );
}
