import type { ListedPerson } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { NameSearch, nameIn } from '../../forms/name-search.tsx';
import { cursorIn, page } from '../../forms/page-module.ts';
import button from '../../ui/button.module.css';
import { Face } from '../../ui/face.tsx';
import { NextLink } from '../../ui/next-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShownName } from '../../ui/person-names.tsx';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import styles from './people.module.css';

/** The members of the wall; those who wrote last come first. */
export const people = page({
  load({ call, query }) {
    const q = nameIn(query);
    return call('GET /users', { query: { ...(q !== '' && { q }), ...cursorIn(query) } });
  },
  View({ user, query, people: found, next }) {
    const q = nameIn(query);
    return (
      <>
        <NameSearch action={addresses.people.href()} q={q} />
        {found.length === 0 ? (
          <NobodyNotice q={q} isLast={next === null} />
        ) : (
          <ul className={styles.list} aria-label="Люди">
            {found.map((person) => (
              <Row key={person.id} person={person} isOwn={person.id === user.id} />
            ))}
          </ul>
        )}
        <NextLink query={query} next={next} />
      </>
    );
  },
});

function Row({ person, isOwn }: { person: ListedPerson; isOwn: boolean }) {
  const { id, about, newcomer_until: isNew, first_post_id: first } = person;
  const nameId = `person-${id}`;
  return (
    <li className={styles.row}>
      <a href={addresses.user.href(person)} className={styles.person}>
        <Face of={person} />
        <span className={styles.words}>
          <bdi id={nameId} className={styles.name}>
            <ShownName {...person} />
          </bdi>{' '}
          {isNew !== undefined && <span className={styles.chip}>недавно здесь</span>}{' '}
          {about !== null && (
            <span className={styles.about} dir="auto">
              {about}
            </span>
          )}
        </span>
      </a>{' '}
      {first !== undefined && !isOwn ? (
        <a
          href={addresses.postReply.href({ id: first })}
          data-layer
          className={button.button}
          data-variant="quiet"
          aria-describedby={nameId}
        >
          Поздороваться
        </a>
      ) : (
        <span className={styles.wrote}>{wrote[person.wrote ?? 'never']}</span>
      )}
    </li>
  );
}

/** The words that the row leaves out are for screen readers and text browsers. */
const unseen = (words: string) => <span className={visuallyHidden.always}>{words}</span>;

const wrote = {
  today: <>{unseen('пишет ')}сегодня</>,
  week: <>{unseen('пишет ')}на этой неделе</>,
  earlier: <>давно{unseen(' не пишет')}</>,
  never: 'ещё без записей',
};

function NobodyNotice({ q, isLast }: { q: string; isLast: boolean }) {
  if (q === '')
    return <Notice title="Больше никого нет" text="Дальше в списке никого: его начало — на первой странице." />;
  return isLast ? (
    <Notice title="Никого не нашлось" text={`Нет имён, которые начинаются с «${q}».`} />
  ) : (
    <Notice title="Пока никого не нашлось" text="Имён много: нажмите «Дальше» или допишите имя." />
  );
}
