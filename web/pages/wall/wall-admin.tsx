import { type ReactNode, use, useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { CurrentUser } from '#contract/account.ts';
import { wallPaceText } from '#contract/pace.ts';
import type { FirstSteps, Keep, StoredText, MailFinding } from '#contract/wall-admin.ts';
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
import lists from '../../ui/list-page.module.css';
import { LinkRow } from '../../ui/link-row.tsx';
import { areShown, FirstStepsCard, HideSteps, stepsActs } from './first-steps-card.tsx';
import { gatePosts, whoWords } from './save-settings.ts';
import { AboutSettings, OrderSettings, PeopleSettings, set } from './settings.tsx';
import { loadStep, stepActs, StepPage } from './step-page.tsx';
import styles from './wall-admin.module.css';
import { isFile, sourceNames, textActs, TextForm, textId, textNames } from './text-form.tsx';

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
}

interface Part {
  title: string;
  Part(props: PartProps): ReactNode;
  /** What is set now, in the menu. */
  says(wall: PartProps): string;
}

/** The settings and checks that are pages of their own. */
const parts: Readonly<Record<string, Part>> = {
  about: {
    title: 'Имя и значок',
    Part: AboutSettings,
    says: ({ settings: { name, line } }) => [name, line].filter(Boolean).join(' · '),
  },
  people: { title: 'Кто приходит и читает', Part: PeopleSettings, says: ({ settings }) => whoWords(settings) },
  order: { title: 'Порядок', Part: OrderSettings, says: ({ settings }) => orderWords(settings) },
  mail: { title: 'Почта', Part: ({ made }) => <MailCheck findings={made['findings']} />, says: () => '' },
  health: { title: 'Здоровье', Part: Health, says: () => '' },
};

const orderWords = ({ gate_posts: waiting, pace = 0 }: Keep['settings']): string =>
  [gatePosts[waiting]!.name, pace > 0 && wallPaceText(pace)].filter(Boolean).join(' · ');

/** What owners see and set of their wall. The query names one of its steps, texts or parts. */
export const keep = page({
  async load(context) {
    const { call, query } = context;
    const found = await loadStep(context, query.get('step'));
    if (found) return { title: found.title, step: found.step };
    const { texts, keepers, first_steps: steps, ...wall } = await call('GET /keep', {});
    const text = texts.find((each) => each.name === query.get('text') && !isFile(each));
    if (text) return { title: textNames[text.name], text };
    const part = query.get('part') ?? '';
    if (Object.hasOwn(parts, part)) return { title: parts[part]!.title, part, wall };
    // Without what the texts say: they are long.
    const sources = texts.map(({ name, source }) => ({ name, source }));
    return { menu: { keepers, steps, texts: sources, wall } };
  },
  View({ menu, wall, part, text, step, user, query, handed }) {
    const { sent } = use(FormHostContext);
    // What a refused form had is not what an act has made.
    const made = sent?.failed && sent.fields === handed ? {} : handed;
    if (step) return <StepPage step={step} user={user} query={query} />;
    if (menu) return <Menu {...menu} user={user} />;
    if (text) return <TextForm key={text.name} text={text} made={made} />;
    const { title, Part } = parts[part]!;
    return (
      <div className={styles.section} role="group" aria-label={title}>
        <Part {...wall} made={made} />
      </div>
    );
  },
  acts: {
    set,
    ...textActs,
    ...stepsActs,
    ...stepActs,
    async mail({ call }) {
      const { findings } = await call('POST /keep/mail', {});
      return {
        message: hasLeft(findings) ? 'Письмо ушло' : 'Письма не уходят',
        kept: { findings: JSON.stringify(findings) },
      };
    },
  },
});

interface MenuProps extends Pick<Keep, 'keepers'> {
  steps: FirstSteps;
  texts: Pick<StoredText, 'name' | 'source'>[];
  wall: Omit<PartProps, 'made'>;
  user: CurrentUser;
}

const Menu = ({ steps, texts, keepers, wall, user }: MenuProps) => (
  <>
    {areShown(steps) && <FirstStepsCard steps={steps} user={user} />}
    <nav aria-label="Хозяйство">
      {Object.entries(parts).map(([part, { title, says }]) => (
        <LinkRow key={part} href={addresses.keep.href({}, { part })} name={title} value={says({ ...wall, made: {} })} />
      ))}
    </nav>
    <section aria-labelledby="texts">
      <h2 id="texts" className={lists.heading}>
        Тексты
      </h2>
      {texts.map(({ name, source }) =>
        isFile({ source }) ? (
          <p key={name} className={styles.file}>
            {textNames[name]} <span className={styles.quiet}>{sourceNames[source]}</span>
          </p>
        ) : (
          <LinkRow
            key={name}
            id={textId(name)}
            href={addresses.keep.href({}, { text: name })}
            name={textNames[name]!}
            value={sourceNames[source]}
          />
        ),
      )}
    </section>
    <Keepers keepers={keepers} />
    {areShown({ ...steps, is_hidden: !steps.is_hidden }) && (
      <div className={styles.section}>
        <HideSteps isHidden={false} />
      </div>
    )}
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
