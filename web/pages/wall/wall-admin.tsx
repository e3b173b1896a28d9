import { type ReactNode, use, useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Keep, StoredText } from '#contract/wall-admin.ts';
import type { FormFields } from '#contract/page-data.ts';
import { roleNames } from '../../features/moderation/role-names.ts';
import { FormHostContext } from '../../forms/form-host.ts';
import { page } from '../../forms/page-module.ts';
import { PersonNames } from '../../ui/person-names.tsx';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { Health } from './health.tsx';
import { MailCheck, sendTrial } from './mail.tsx';
import { AboutSettings, OrderSettings, PeopleSettings, registrationModes, set } from './settings.tsx';
import styles from './wall-admin.module.css';
import { isFile, sourceNames, textActs, TextForm, textNames } from './text-form.tsx';

/** The first steps of a new wall, and where each is done. */
const firstSteps: ReadonlyArray<{ step: keyof Keep['first_steps']; name: string; href: string }> = [
  {
    step: 'about',
    name: 'Назвать стену и сказать о ней одной строкой',
    href: addresses.keep.href({}, { part: 'about', field: 'name' }),
  },
  { step: 'rules', name: 'Написать правила', href: addresses.keep.href({}, { text: 'rules', field: 'text' }) },
  { step: 'mail', name: 'Проверить, доходят ли письма', href: addresses.keep.href({}, { part: 'mail' }) },
  { step: 'post', name: 'Опубликовать первую запись', href: addresses.newPost.href() },
  { step: 'invite', name: 'Позвать людей', href: addresses.moderationInvites.href() },
];

/** The steps that a new wall still needs. The list is gone once everything is done. */
function FirstSteps({ steps }: { steps: Keep['first_steps'] }) {
  if (Object.values(steps).every(Boolean)) return null;
  return (
    <Section title="С чего начать">
      <ol className={styles.list}>
        {firstSteps.map(({ step, name, href }) => (
          <li key={step} className={styles.step}>
            <span aria-hidden="true">{steps[step] ? '✓' : '○'}</span>
            {steps[step] ? (
              <span className={styles.quiet}>
                {name}
                <span className={visuallyHidden.always}>: сделано</span>
              </span>
            ) : (
              <a href={href}>{name}</a>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

interface SectionProps {
  title: string;
  children: ReactNode;
}

/** A part of the page with a heading. */
export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface PartProps extends Pick<Keep, 'settings' | 'pictures' | 'invite_terms' | 'health' | 'mail'> {
  /** What the acts have made. */
  made: FormFields;
  focused: string | null;
}

/** The settings and checks that are pages of their own. */
const parts: Readonly<Record<string, { title: string; Part(props: PartProps): ReactNode }>> = {
  about: { title: 'О стене', Part: AboutSettings },
  people: { title: 'Кто приходит и читает', Part: PeopleSettings },
  order: { title: 'Порядок', Part: OrderSettings },
  mail: { title: 'Почта', Part: MailCheck },
  health: { title: 'Здоровье', Part: Health },
};

/** What owners see and set of their wall. The query names one of its texts or parts. */
export const keep = page({
  async load({ call, query }) {
    const { texts, keepers, first_steps, ...wall } = await call('GET /keep', {});
    const text = texts.find((each) => each.name === query.get('text') && !isFile(each));
    if (text) return { title: textNames[text.name], text };
    const part = query.get('part') ?? '';
    if (Object.hasOwn(parts, part)) return { title: parts[part]!.title, part, wall };
    // Without what the texts say: they are long.
    const sources = texts.map(({ name, source }) => ({ name, source }));
    return { menu: { keepers, first_steps, texts: sources, registration: wall.settings.registration } };
  },
  View({ menu, wall, part, text, query, handed }) {
    const { sent } = use(FormHostContext);
    // What a refused form had is not what an act has made.
    const made = sent?.failed && sent.fields === handed ? {} : handed;
    if (menu) return <Menu {...menu} />;
    if (text) return <TextForm key={text.name} text={text} made={made} takesFocus={query.has('field')} />;
    const { title, Part } = parts[part]!;
    return (
      <div className={styles.section} role="group" aria-label={title}>
        <Part {...wall} made={made} focused={query.get('field')} />
        <p className={styles.links}>
          <a href={addresses.keep.href()}>Хозяйство</a>
        </p>
      </div>
    );
  },
  acts: {
    set,
    ...textActs,
    mail: sendTrial,
  },
});

interface MenuProps extends Pick<Keep, 'keepers' | 'first_steps'> {
  texts: Pick<StoredText, 'name' | 'source'>[];
  registration: Keep['settings']['registration'];
}

const Menu = ({ first_steps: steps, texts, keepers, registration }: MenuProps) => (
  <>
    <FirstSteps steps={steps} />
    <Section title="Настройки">
      <ul className={styles.list}>
        {Object.entries(parts).map(([part, { title }]) => (
          <li key={part}>
            <a href={addresses.keep.href({}, { part })}>{title}</a>{' '}
            {part === 'people' && (
              <span className={styles.quiet}>{registrationModes.find(({ id }) => id === registration)!.name}</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
    <Section title="Тексты">
      <ul className={styles.list}>
        {texts.map(({ name, source }) => (
          <li key={name}>
            {isFile({ source }) ? (
              textNames[name]
            ) : (
              <a id={`text-${name}`} href={addresses.keep.href({}, { text: name })}>
                {textNames[name]}
              </a>
            )}{' '}
            <span className={styles.quiet}>{sourceNames[source]}</span>
          </li>
        ))}
      </ul>
    </Section>
    <Keepers keepers={keepers} />
  </>
);

const keeperLinks = [
  [addresses.moderationPeople.href(), 'Назначить или снять'],
  [addresses.moderationInvites.href(), 'Приглашения'],
  [addresses.moderationPin.href(), 'Объявление'],
] as const;

/** The people who keep the wall, and links to change that. */
const Keepers = ({ keepers }: Pick<Keep, 'keepers'>) => (
  <Section title="Кто ведёт стену">
    <ul className={styles.list} aria-label="Кто ведёт стену">
      {keepers.map((keeper) => (
        <li key={keeper.id}>
          <a href={addresses.moderationPerson.href(keeper)}>
            <PersonNames {...keeper} />
          </a>{' '}
          <span className={styles.quiet}>{roleNames[keeper.role]}</span>
        </li>
      ))}
    </ul>
    <ul className={styles.links}>
      {keeperLinks.map(([href, name]) => (
        <li key={href}>
          <a href={href}>{name}</a>
        </li>
      ))}
    </ul>
  </Section>
);
