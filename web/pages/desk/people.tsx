import { addresses } from '#contract/addresses.ts';
import type { ModeratedPerson } from '#contract/moderation-people.ts';
import { roleNames } from '../../features/moderation/role-names.ts';
import { CopyClaim, DeskFrame } from './desk-frame.tsx';
import { NameSearch, nameIn } from '../../forms/name-search.tsx';
import { page, cursorIn } from '../../forms/page-module.ts';
import { Face } from '../../ui/face.tsx';
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
          <NameSearch action={lists[list].address.href()} q={q} />
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

interface NobodyProps {
  list: ListName;
  q: string;
}

function NobodyNotice({ list, q }: NobodyProps) {
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
