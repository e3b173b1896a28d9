import { type ReactNode, useState } from 'react';
import { normalizeContact } from '#contract/wall-setting-rules.ts';
import type { WallAdmin } from '#contract/wall-admin.ts';
import type { FormFields } from '#contract/page-data.ts';
import { Carried, Choices, Field, useField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { judgeLine } from '../../forms/judge-line.ts';
import type { Act } from '../../forms/page-module.ts';
import {
  gatePosts,
  inviteTerms,
  isWithin,
  letterTexts,
  paces,
  rangeText,
  readers,
  registrationModes,
  reportLetters,
  saveSettings,
  shownField,
  valuesOf,
} from './save-settings.ts';
import { SignFields, useOnEveryPage } from './sign-fields.tsx';
import styles from './wall-admin.module.css';

export const set: Act = async (context, fields) => {
  await saveSettings(context, fields);
  return { message: 'Сохранено' };
};

interface SettingsFormProps {
  values: FormFields;
  act?: string;
  submit?: string;
  children: ReactNode;
}

/** A form that saves the settings of a page together. */
export const SettingsForm = ({ values, act = 'set', submit = 'Сохранить', children }: SettingsFormProps) => (
  <Form act={act} submit={submit}>
    <Shown values={values} />
    <div className={styles.settings}>{children}</div>
  </Form>
);

/** Carries the values that the fields began with, even after a refusal, so that only changed settings are sent. */
function Shown({ values }: { values: FormFields }) {
  const { initial } = useField(shownField, JSON.stringify(values));
  // The data may be loaded again, but the fields keep the values they began with.
  const [first] = useState(initial);
  return <Carried name={shownField} value={first} />;
}

const judgeContact = judgeLine(normalizeContact);

/** The contact may be absent, but a stored one is only replaced. */
export const ContactField = ({ value }: { value: string }) => (
  <Field
    name="contact"
    label="Кому писать о стене"
    value={value}
    note="Почта или адрес страницы, https://… Её увидят все."
    check={(typed) => (typed === value ? { isGood: true } : judgeContact(typed))}
  />
);

export function AboutSettings({
  settings,
  pictures,
  invite_terms: terms,
}: Pick<WallAdmin, 'settings' | 'pictures' | 'invite_terms'>) {
  useOnEveryPage(settings, pictures);
  const values = valuesOf(settings, terms);
  return (
    <SettingsForm values={values}>
      <SignFields values={values} />
      <ContactField value={values['contact']!} />
    </SettingsForm>
  );
}

/** The choices of hours. The current value may be another one, set through the API. */
const gateHours = (chosen: number) =>
  [...new Set([1, 6, 12, 24, 48, chosen])]
    .toSorted((a, b) => a - b)
    .map((hours) => ({ id: String(hours), name: `через ${hours} ч.` }));

export function PeopleSettings({ settings, invite_terms: terms }: Pick<WallAdmin, 'settings' | 'invite_terms'>) {
  const values = valuesOf(settings, terms);
  return (
    <SettingsForm values={values}>
      <Choices
        name="registration"
        legend="Кто может регистрироваться"
        choices={registrationModes}
        chosen={values['registration']}
      />
      <div className={styles.terms}>
        {inviteTerms.map(({ key, label, ...range }) => (
          <Field
            key={key}
            name={key}
            label={label}
            value={values[key] ?? ''}
            inputMode="decimal"
            check={(typed) => (isWithin(typed, range) ? { isGood: true } : { isGood: false, error: rangeText(range) })}
          />
        ))}
      </div>
      <Choices name="readers" legend="Кто читает стену" choices={readers} chosen={values['readers']} />
    </SettingsForm>
  );
}

export function OrderSettings({ settings, invite_terms: terms }: Pick<WallAdmin, 'settings' | 'invite_terms'>) {
  const values = valuesOf(settings, terms);
  return (
    <SettingsForm values={values}>
      <Choices
        name="pace"
        legend="Медленный режим: как часто отвечает один человек"
        choices={paces}
        chosen={values['pace']}
      />
      <Choices name="gate_posts" legend="Первые записи новичков" choices={gatePosts} chosen={values['gate_posts']} />
      <div className={styles.hours}>
        <Choices
          name="gate_hours"
          legend="Если никто не посмотрел, запись появится"
          choices={gateHours(settings.gate_hours)}
          chosen={values['gate_hours']}
        />
      </div>
      <Choices
        name="report_letters"
        legend="Если жалоба ждёт больше часа"
        choices={reportLetters}
        chosen={values['report_letters']}
      />
      <Choices
        name="letter_texts"
        legend="Записи в письмах, пока стена закрыта"
        choices={letterTexts}
        chosen={values['letter_texts']}
      />
    </SettingsForm>
  );
}
