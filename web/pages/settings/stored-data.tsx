import type { KeptData } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { page } from '../../forms/page-module.ts';
import button from '../../ui/button.module.css';
import list from '../../ui/list-page.module.css';
import { LocalTime } from '../../ui/scripted.tsx';
import styles from './stored-data.module.css';

const thousands = new Intl.NumberFormat('ru');
/** With ordinary spaces between the digits. */
const numberOf = (count: number) => (count === 0 ? 'нет' : thousands.format(count).replaceAll(/\s/g, ' '));

/** What the wall keeps about the person, under its headings. */
export const keptData = page({
  load: ({ call }) => call('GET /users/current/data', {}),
  View: ({ kept }) => (
    <>
      <div className={list.about}>
        <p className={styles.intro}>Это всё, что стена хранит о вас. В файле — то же самое, строка за строкой.</p>
        <a href={addresses.settingsExport.href()} download className={button.button} data-variant="quiet">
          Скачать мои данные
        </a>
      </div>
      {[...Map.groupBy(kept, ({ section }) => section)].map(([section, items]) => (
        <section key={section} aria-label={section}>
          <h2 className={list.heading}>{section}</h2>
          <dl className={styles.list}>
            {items.map((kind) => (
              <div key={kind.title} className={styles.item}>
                <dt>{kind.title}</dt>
                {kind.count !== null && <dd className={styles.number}>{numberOf(kind.count)}</dd>}
                <dd className={styles.about}>{kind.about}</dd>
                <Span {...kind} />
                <dd className={styles.about}>Хранится: {kind.kept_until}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  ),
});

/** From when the rows are. */
function Span({ count, first_at: first, last_at: last }: KeptData) {
  if (first === null || last === null) return null;
  return (
    <dd className={styles.about}>
      {count === 1 || first === last ? (
        <LocalTime at={first} />
      ) : (
        <>
          с <LocalTime at={first} /> по <LocalTime at={last} />
        </>
      )}
    </dd>
  );
}
