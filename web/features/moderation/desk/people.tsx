import { useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { ModeratedPerson } from '#contract/moderation.ts';
import { Button } from '../../../ui/button.tsx';
import { Face } from '../../../ui/face.tsx';
import formField from '../../../ui/form-field.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { PersonNames } from '../../../ui/person-names.tsx';
import { roleNames } from '../role-names.ts';
import { CopyClaim } from './copy-claim.tsx';
import { DeskItems } from './desk-items.tsx';
import type { DeskList } from './desk-list.ts';
import styles from './people.module.css';

interface PeopleProps {
  list: DeskList<ModeratedPerson>;
  section: 'people' | 'blocked' | 'imported';
  /** The beginning of the names that are shown. */
  q: string;
}

const filters = [
  ['people', 'Все'],
  ['blocked', 'Заблокированные'],
  ['imported', 'Не заходили'],
] as const;

/** The people of the wall, with a field for the beginning of a name. */
export function People({ list, section, q }: PeopleProps) {
  const id = useId();
  const here = addresses.moderationSection.href({ section });
  const query = q === '' ? undefined : { q };
  return (
    <>
      <search>
        <form method="get" action={here} className={styles.form}>
          <label htmlFor={id} className={formField.label}>
            Начало имени
          </label>
          <div className={styles.field}>
            <input
              id={id}
              type="search"
              name="q"
              className={formField.input}
              defaultValue={q}
              maxLength={limits.usernameMax}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              enterKeyHint="search"
            />
            <Button type="submit">Найти</Button>
          </div>
        </form>
      </search>
      <nav className={styles.filter} aria-label="Кого показать">
        {filters.map(([filter, name]) => (
          <a
            key={filter}
            href={addresses.moderationSection.href({ section: filter }, query)}
            aria-current={filter === section ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <DeskItems list={list} label="Люди" empty={<NobodyNotice section={section} q={q} />}>
        {(person) => (
          <li key={person.id} className={styles.item}>
            <a href={addresses.moderationPerson.href(person)} className={styles.row}>
              <Face id={person.id} />
              <bdi className={styles.name}>
                <PersonNames {...person} />
              </bdi>
              <span className={styles.facts}>{factsOf(person)}</span>
            </a>
            {person.claim_url !== null && <CopyClaim url={person.claim_url} />}
          </li>
        )}
      </DeskItems>
    </>
  );
}

function NobodyNotice({ section, q }: Pick<PeopleProps, 'section' | 'q'>) {
  if (q !== '') return <Notice title="Никого нет" text={`Нет имён, которые начинаются с «${q}».`} />;
  if (section === 'imported')
    return <Notice title="Таких нет" text="Здесь люди, которых перенесли с их записями и которые ещё не зашли." />;
  if (section === 'blocked') return <Notice title="Заблокированных нет" text="Все могут писать на стене." />;
  return <Notice title="Никого нет" text="Когда кто-нибудь зарегистрируется, он появится здесь." />;
}

function factsOf({ role, blocked, claim_url: url, ...counts }: ModeratedPerson) {
  const { posts_count: posts, replies_count: replies, open_reports: open } = counts;
  return [
    url && 'не заходил(а)',
    blocked && 'заблокирован',
    role && roleNames[role],
    `записей: ${posts}`,
    `ответов: ${replies}`,
    open > 0 && `жалоб: ${open}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
