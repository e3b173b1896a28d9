import { addresses } from '#contract/addresses.ts';
import { verifyModeration } from '#contract/moderation.ts';
import type { FormFields, PlainOutcome } from '#contract/page.ts';
import type { DeskAct } from '../features/moderation/desk/act.ts';
import { CodeForm, codeOf, withFreshCode } from './code-form.tsx';
import { Check, Choices, Field, Form } from './form.tsx';
import { formProblem, type PlainAct, type PlainContext } from './plain-page.ts';

const sections = [
  [addresses.moderation.href(), 'Жалобы'],
  [addresses.moderationWaiting.href(), 'Первые записи новичков'],
  [addresses.moderationSection.href({ section: 'people' }), 'Люди'],
  [addresses.moderationSection.href({ section: 'blocked' }), 'Заблокированные'],
  [addresses.moderationSection.href({ section: 'invites' }), 'Приглашения'],
  [addresses.moderationSection.href({ section: 'journal' }), 'Журнал'],
  [addresses.moderationSection.href({ section: 'pin' }), 'Объявление'],
] as const;

/** The links between the pages of the desk. */
export const DeskLinks = ({ path }: { path: string }) => (
  <p>
    {sections.map(([href, name], index) => (
      <span key={href}>
        {href === path ? name : <a href={href}>{name}</a>}
        {index < sections.length - 1 && ' · '}
      </span>
    ))}
  </p>
);

export const asChoices = (reasons: readonly string[]) => reasons.map((name) => ({ id: name, name }));

export function reasonOf({ reason = '', own = '' }: FormFields): string {
  const given = own.trim() || reason;
  if (given === '') throw formProblem('Выберите причину или напишите свою.');
  return given;
}

interface ActFormProps {
  name: string;
  id?: string;
  act: Pick<DeskAct, 'title' | 'hint' | 'reasons' | 'terms' | 'option'>;
}

/** The dialog of an act as a form. */
export const ActForm = ({ name, id, act: { title, hint, reasons, terms, option } }: ActFormProps) => (
  <Form act={name} {...(id !== undefined && { id })} submit={title} isQuiet>
    <Choices name="reason" legend={hint} choices={asChoices(reasons)} />
    <Field name="own" label="Другая причина" />
    {terms && <Choices name="term" {...terms} chosen={terms.choices.at(-1)!.id} />}
    {option !== undefined && (
      <Check name="option" value="1">
        {option}
      </Check>
    )}
  </Form>
);

/** What an act that may need a fresh code is carried out with. */
interface Carried {
  /** The id of what it is about, from its form. */
  target: string;
  reason: string;
  term: string;
  option: string;
}

/** Resolves to the words about what was done. */
type Carry<P> = (context: PlainContext<P>, carried: Carried) => Promise<string>;

/** Acts that may need a fresh code, and the step `confirm` that asks for it. */
export function actsWithCode<P extends object>(carry: Readonly<Record<string, Carry<P>>>): Record<string, PlainAct<P>> {
  const run = (name: string, context: PlainContext<P>, fields: FormFields): Promise<PlainOutcome> => {
    const { id = '', target = id, term = '', option = '' } = fields;
    const carried = { target, reason: reasonOf(fields), term, option };
    return withFreshCode(context, { ...carried, of: name }, () => carry[name]!(context, carried));
  };
  const acts = Object.keys(carry).map((name): [string, PlainAct<P>] => [name, (...input) => run(name, ...input)]);
  return {
    ...Object.fromEntries(acts),
    async confirm(context, fields) {
      const { of: name = '' } = fields;
      if (!Object.hasOwn(carry, name)) throw formProblem('Начните сначала.');
      await context.call(verifyModeration, codeOf(context, fields));
      return run(name, context, fields);
    },
  };
}

/** The step of the page that asks for the code. */
export function CodeStep({ fields = {} }: { fields: FormFields | undefined }) {
  const { of: name = '', target = '', reason = '', term = '', option = '' } = fields;
  return <CodeForm act="confirm" submit="Подтвердить" carried={{ of: name, target, reason, term, option }} />;
}
