import { useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { ModeratedPerson } from '#contract/moderation.ts';
import { useObservable } from '../../../lib/observable.ts';
import { Button } from '../../../ui/button.tsx';
import { Face } from '../../../ui/face.tsx';
import formField from '../../../ui/form-field.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { PersonNames } from '../../../ui/person-names.tsx';
import { roleNames } from '../role-names.ts';
import { CopyClaim } from './copy-claim.tsx';
import type { DeskList } from './desk-list.ts';
import { DeskListEnd } from './desk-list-end.tsx';
import styles from './people.module.css';

interface PeopleProps {
  list: DeskList<ModeratedPerson>;
  section: 'people' | 'blocked' | 'imported';
  /** The beginning of the names that are shown. */
  q: string;
}

/** The people of the wall, with a field for the beginning of a name. */
export function People({ list, section, q }: PeopleProps) {
  const id = useId();
  const { items, next } = useObservable(list.state);
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
        <FilterLink section="people" current={section} query={query} name="Все" />
        <FilterLink section="blocked" current={section} query={query} name="Заблокированные" />
        <FilterLink section="imported" current={section} query={query} name="Не заходили" />
      </nav>
      {items.length === 0 && next === null ? (
        <NobodyNotice section={section} q={q} />
      ) : (
        <ul className={styles.list} aria-label="Люди">
          {items.map((person) => (
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
          ))}
        </ul>
      )}
      <DeskListEnd list={list} />
    </>
  );
}

interface FilterLinkProps {
  section: PeopleProps['section'];
  current: PeopleProps['section'];
  query: { q: string } | undefined;
  name: string;
}

function FilterLink({ section, current, query, name }: FilterLinkProps) {
  return (
    <a
      href={addresses.moderationSection.href({ section }, query)}
      aria-current={section === current ? 'page' : undefined}
    >
      {name}
    </a>
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
