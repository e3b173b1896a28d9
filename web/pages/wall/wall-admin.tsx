import { type ReactNode, use, useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { CurrentUser } from '#contract/account.ts';
import { wallPaceText } from '#contract/reply-rules.ts';
import type { FirstSteps, StoredText, WaitingCodes, WallAdmin } from '#contract/wall-admin.ts';
import type { FormFields } from '#contract/page-data.ts';
import { mailWords } from '../../features/mail-state/mail-line.tsx';
import { roleNames } from '../../features/moderation/role-names.ts';
import { FormHostContext } from '../../forms/form-host.ts';
import { lastCarry, startCarry } from '../carry-form.tsx';
import { page } from '../../forms/page-module.ts';
import { useNow } from '../../lib/clock.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import lists from '../../ui/list-page.module.css';
import { LinkRow } from '../../ui/link-row.tsx';
import { areShown, HideSteps, OwnersCard, stepsActs } from './first-steps-card.tsx';
import { gatePosts, whoWords } from './save-settings.ts';
import { AboutSettings, OrderSettings, PeopleSettings, set } from './settings.tsx';
import { loadStep, stepActs, StepPage } from './step-page.tsx';
import { Health, healthWords } from './health.tsx';
import { Life, loadLife } from './life.tsx';
import { CarryWall } from './carry.tsx';
import { MailCheck, sendTrial } from './mail.tsx';
import styles from './wall-admin.module.css';
import { isFile, sourceWords, textActs, TextForm, textId, textNames } from './text-form.tsx';

interface SectionProps {
  title: string;
  children: ReactNode;
}

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

type Wall = Pick<WallAdmin, 'settings' | 'pictures' | 'invite_terms' | 'health' | 'mail'>;

/** `health` and `mail` are on the pages of these parts alone: the HTML of another one would not fit into one flight of TCP. */
interface PartProps extends Omit<Wall, 'health' | 'mail'>, Partial<Pick<Wall, 'health' | 'mail'>> {
  /** The fields that the last act returned. */
  made: FormFields;
}

interface Part {
  title: string;
  Part(props: PartProps): ReactNode;
  /** The current value, shown in the menu. */
  says(wall: Wall, now: number): ReactNode;
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
  mail: {
    title: 'Почта',
    Part: ({ mail, made }) => mail && <MailCheck mail={mail} made={made} />,
    says: ({ mail }, now) => <State of={mailWords(mail, now)} />,
  },
  health: {
    title: 'Здоровье',
    Part: ({ health, mail }) => health && mail && <Health health={health} mail={mail} />,
    says: (wall, now) => <State of={healthWords(wall, now)} />,
  },
};

/** What a row says about a part of the wall, in ochre if it needs attention. */
const State = ({ of: { isGood, short } }: { of: { isGood: boolean; short: ReactNode } }) => (
  <span className={isGood ? undefined : styles.wanting}>{short}</span>
);

const orderWords = ({ gate_posts: waiting, pace = 0 }: WallAdmin['settings']): string =>
  [gatePosts[waiting]!.short, pace > 0 && wallPaceText(pace)].filter(Boolean).join(' · ');

const lifeTitle = 'Жизнь стены';
const carryTitle = 'Унести стену';

/** The page of owners. The query names a step, text or part; without one the page is a menu. */
export const keep = page({
  async load(context) {
    const { call, query } = context;
    const found = await loadStep(context, query.get('step'));
    if (found) return { title: found.title, step: found.step };
    const part = query.get('part') ?? '';
    if (part === 'life') return { title: lifeTitle, life: await loadLife(context) };
    const { texts, keepers, first_steps: steps, ...wall } = await call('GET /keep', {});
    if (part === 'carry') return { title: carryTitle, carried: { ...wall, carry: await lastCarry(context, true) } };
    const text = texts.find((each) => each.name === query.get('text') && !isFile(each));
    if (text) return { title: textNames[text.name], text };
    const { health: _health, mail: _mail, ...rest } = wall;
    if (Object.hasOwn(parts, part))
      return { title: parts[part]!.title, part, wall: part === 'mail' || part === 'health' ? wall : rest };
    // Leaves out the contents of the texts, which are long.
    const sources = texts.map(({ name, source }) => ({ name, source }));
    const { codes } = wall.mail.state === 'none' ? await call('GET /keep/waiting-codes', {}) : {};
    return { menu: { keepers, steps, texts: sources, wall, codes } };
  },
  View({ menu, wall, part, text, step, life, carried, user, query, handed }) {
    const { sent } = use(FormHostContext);
    // `handed` may be the fields of a refused form, which are no result of an act.
    const made = sent?.failed && sent.fields === handed ? {} : handed;
    if (step) return <StepPage step={step} user={user} query={query} />;
    if (life) return <Life {...life} />;
    if (carried) return <CarryWall {...carried} />;
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
    mail: sendTrial,
    carry: startCarry('/keep'),
  },
});

interface MenuProps extends Pick<WallAdmin, 'keepers'> {
  steps: FirstSteps;
  texts: Pick<StoredText, 'name' | 'source'>[];
  wall: Wall;
  codes: WaitingCodes['codes'] | undefined;
  user: CurrentUser;
}

function Menu({ steps, texts, keepers, wall, codes, user }: MenuProps) {
  const now = useNow();
  return (
    <>
      <OwnersCard steps={{ ...steps, mail: wall.mail }} codes={codes} user={user} />
      <nav aria-label="Хозяйство">
        {Object.entries(parts).map(([part, { title, says }]) => (
          <LinkRow key={part} href={addresses.keep.href({}, { part })} name={title} value={says(wall, now)} />
        ))}
        <LinkRow
          href={addresses.keep.href({}, { part: 'life' })}
          name={lifeTitle}
          value="Сколько пишут, кто пришёл и кому ответили"
        />
        <LinkRow href={addresses.keep.href({}, { part: 'carry' })} name={carryTitle} value="Все записи одним файлом" />
      </nav>
      <section aria-labelledby="texts">
        <h2 id="texts" className={lists.heading}>
          Тексты
        </h2>
        {texts.map(({ name, source }) =>
          isFile({ source }) ? (
            <p key={name} className={styles.file}>
              {textNames[name]} <span className={styles.quiet}>{sourceWords({ name, source })}</span>
            </p>
          ) : (
            <LinkRow
              key={name}
              id={textId(name)}
              href={addresses.keep.href({}, { text: name })}
              name={textNames[name]!}
              value={sourceWords({ name, source })}
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
}

const keeperLinks = [
  [addresses.moderationPeople.href(), 'Назначить или снять'],
  [addresses.moderationInvites.href(), 'Приглашения'],
  [addresses.moderationPin.href(), 'Объявление'],
] as const;

/** The moderators and owners, with links to the pages that change their roles. */
const Keepers = ({ keepers }: Pick<WallAdmin, 'keepers'>) => (
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
