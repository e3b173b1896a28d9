import { useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { ModeratedPerson } from '#contract/moderation-people.ts';
import { roleNames } from '../../features/moderation/role-names.ts';
import { CopyClaim, DeskFrame } from './desk-frame.tsx';
import { page, cursorIn } from '../../forms/page-module.ts';
import { Button } from '../../ui/button.tsx';
import { Face } from '../../ui/face.tsx';
import formField from '../../ui/form-field.module.css';
import { NextLink } from '../../ui/next-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import styles from './people.module.css';

const lists = {
  people: { name: 'Все', address: addresses.moderationPeople },
  blocked: { name: 'Заблокированные', address: addresses.moderationBlocked },
  imported: { name: 'Не заходили', address: addresses.moderationImported },
};

type ListName = keyof typeof lists;

/** The beginning of the names to search for. */
const nameIn = (query: URLSearchParams): string => query.get('q')?.trim() ?? '';

/** The page of a list of people, with a field for the beginning of a name. */
const listOf = (list: ListName) =>
  page({
    load({ call, query }) {
      const q = nameIn(query);
      const which = { ...(list !== 'people' && { state: list }), ...(q !== '' && { q }) };
      return call('GET /moderation/people', { query: { ...which, ...cursorIn(query) } });
    },
    View({ query, people: found, next }) {
      const q = nameIn(query);
      return (
        <DeskFrame section="people">
          <Search list={list} q={q} />
          <nav className={styles.filter} aria-label="Кого показать">
            {Object.entries(lists).map(([id, { name, address }]) => (
              <a
                key={id}
                href={address.href({}, q === '' ? undefined : { q })}
                aria-current={id === list ? 'page' : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
          {found.length === 0 ? (
            <NobodyNotice list={list} q={q} />
          ) : (
            <ul className={styles.list} aria-label="Люди">
              {found.map((person) => (
                <li key={person.id} className={styles.item}>
                  <a href={addresses.moderationPerson.href(person)} className={styles.row}>
                    <Face of={person} />
                    <bdi className={styles.name}>
                      <PersonNames {...person} />
                    </bdi>{' '}
                    <span className={styles.facts}>{factsOf(person)}</span>
                  </a>
                  {person.claim_url !== null && <CopyClaim url={person.claim_url} />}
                </li>
              ))}
            </ul>
          )}
          <NextLink query={query} next={next} />
        </DeskFrame>
      );
    },
  });

export const people = listOf('people');
export const blocked = listOf('blocked');
export const imported = listOf('imported');

interface SearchProps {
  list: ListName;
  q: string;
}

function Search({ list, q }: SearchProps) {
  const id = useId();
  return (
    <search>
      <form method="get" action={lists[list].address.href()} className={styles.form}>
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
  );
}

function NobodyNotice({ list, q }: SearchProps) {
  if (q !== '') return <Notice title="Никого нет" text={`Нет имён, которые начинаются с «${q}».`} />;
  if (list === 'imported')
    return <Notice title="Таких нет" text="Здесь люди, которых перенесли с их записями и которые ещё не зашли." />;
  if (list === 'blocked') return <Notice title="Заблокированных нет" text="Все могут писать на стене." />;
  return <Notice title="Никого нет" text="Когда кто-нибудь зарегистрируется, он появится здесь." />;
}

function factsOf({ role, blocked: block, claim_url: url, ...counts }: ModeratedPerson) {
  const { posts_count: posts, replies_count: replies, open_reports: open } = counts;
  return [
    url && 'не заходил(а)',
    block && 'заблокирован',
    role && roleNames[role],
    `записей: ${posts}`,
    `ответов: ${replies}`,
    open > 0 && `жалоб: ${open}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
