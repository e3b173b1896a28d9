import { type ReactNode, use, useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Keep, StoredText, MailFinding } from '#contract/wall-admin.ts';
import type { FormFields } from '#contract/page-data.ts';
import { roleNames } from '../../features/moderation/role-names.ts';
import { FormHostContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { page } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { useNow } from '../../lib/clock.tsx';
import { plural } from '../../lib/counts.ts';
import { LocalTime } from '../../ui/scripted.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { AboutSettings, OrderSettings, PeopleSettings, registrationModes, set } from './settings.tsx';
import styles from './wall-admin.module.css';
import { isFile, sourceNames, textActs, TextForm, textNames } from './text-form.tsx';

const stateNames: Readonly<Record<MailFinding['state'], string>> = {
  good: 'В порядке',
  missing: 'Исправить',
  unknown: 'Неизвестно',
  unchecked: 'Сверьте сами',
};

/** Whether a letter has left, which is what the owner asks; `findings` say the rest to whoever runs the machine. */
const hasLeft = (findings: readonly MailFinding[]): boolean =>
  findings.some(({ check, state }) => check === 'Письмо' && state === 'good');

/** Sends the owner a letter, and shows what the mail server said and which DNS records are missing. `findings` are JSON. */
function MailCheck({ findings }: { findings: string | undefined }) {
  const { hasNoMail } = useClientSettings();
  const found = findings === undefined ? [] : (JSON.parse(findings) as MailFinding[]);
  const isMended = findings !== undefined && hasLeft(found);
  const isBroken = hasNoMail === true || (findings !== undefined && !isMended);
  return (
    <>
      <p className={styles.quiet}>Коды для входа приходят письмами. Проверьте, доходят ли они.</p>
      <Form act="mail" submit="Отправить мне письмо" variant="quiet" />
      <div role="status">
        {isBroken && (
          <p>
            <b>Письма не уходят.</b>{' '}
            {hasNoMail
              ? 'Почта ещё не подключена: попросите об этом того, кто ставил стену. До тех пор войдёт лишь тот, кому он скажет код.'
              : 'Попросите того, кто ставил стену, посмотреть, что ответил почтовый сервер.'}
          </p>
        )}
        {isMended && <p>Письмо ушло. Посмотрите, пришло ли оно и не попало ли в спам.</p>}
        {found.length > 0 && (
          <details>
            <summary>Для того, кто ставил стену</summary>
            <ul className={styles.list}>
              {found.map((finding) => (
                <MailFindingRow key={`${finding.check} ${finding.text}`} {...finding} />
              ))}
            </ul>
          </details>
        )}
      </div>
    </>
  );
}

const MailFindingRow = ({ check, state, text, expected, found }: MailFinding) => (
  <li>
    <b>{stateNames[state]}</b> · {check}: {text}
    {expected !== undefined && state !== 'good' && (
      <p className={styles.quiet}>
        Нужно: <code>{expected}</code>
        {found && found.length > 0 && (
          <>
            . Найдено: <code>{found.join(' · ')}</code>
          </>
        )}
      </p>
    )}
  </li>
);

const gigabytes = (bytes: number): string =>
  (bytes / 1e9).toLocaleString('ru', { maximumFractionDigits: 1, useGrouping: false });

const staleSeconds = 2 * 24 * 3_600;

function CopyCheck({ check }: { check: Keep['health']['copy_check'] }) {
  const now = useNow();
  if (check === null) return 'Не было: после каждой ночной копии её делает служба stena-backup';
  const { at, posts, differences, failure, shrunk } = check;
  const found =
    failure === null
      ? `${plural(posts, ['запись', 'записи', 'записей'])}, ${plural(differences, ['расхождение', 'расхождения', 'расхождений'])}`
      : `стена не восстановилась: ${failure}`;
  return (
    <>
      <LocalTime at={at} />, {found}
      {shrunk && `. Стена стала меньше вдвое: ${shrunk}`}
      {now - at > staleSeconds && '. Это было больше двух дней назад'}
    </>
  );
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className={styles.quiet}>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Backup, disk and version. */
function Health({ health: { version, last_backup: backup, copy_check: check, disk } }: Pick<Keep, 'health'>) {
  return (
    <dl className={styles.list}>
      <Line name="Последняя копия">
        {backup === null ? 'Ни одной: настройте резервные копии на машине' : <LocalTime at={backup} />}
      </Line>
      <Line name="Проверка копии">
        <CopyCheck check={check} />
      </Line>
      <Line name="Диск с данными">
        {disk ? `свободно ${gigabytes(disk.free)} из ${gigabytes(disk.size)} ГБ` : 'неизвестно'}
      </Line>
      <Line name="Версия программы">{version}</Line>
    </dl>
  );
}

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

interface PartProps extends Pick<Keep, 'settings' | 'pictures' | 'invite_terms' | 'health'> {
  /** What the acts have made. */
  made: FormFields;
  focused: string | null;
}

/** The settings and checks that are pages of their own. */
const parts: Readonly<Record<string, { title: string; Part(props: PartProps): ReactNode }>> = {
  about: { title: 'О стене', Part: AboutSettings },
  people: { title: 'Кто приходит и читает', Part: PeopleSettings },
  order: { title: 'Порядок', Part: OrderSettings },
  mail: { title: 'Почта', Part: ({ made }) => <MailCheck findings={made['findings']} /> },
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
    async mail({ call }) {
      const { findings } = await call('POST /keep/mail', {});
      return {
        message: hasLeft(findings) ? 'Письмо ушло' : 'Письма не уходят',
        kept: { findings: JSON.stringify(findings) },
      };
    },
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
        <li>
          <a href={addresses.keepLife.href()}>Жизнь стены</a>
        </li>
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
