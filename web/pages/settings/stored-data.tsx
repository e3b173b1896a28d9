import { useEffect } from 'react';
import type { StoredData } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { CarryForm, lastCarry, startCarry } from '../carry-form.tsx';
import { page } from '../../forms/page-module.ts';
import button from '../../ui/button.module.css';
import list from '../../ui/list-page.module.css';
import { LocalTime } from '../../ui/local-time.tsx';
import { useRefresh } from '../page-contexts.ts';
import styles from './stored-data.module.css';

const thousands = new Intl.NumberFormat('ru');
/** Formats a number with ordinary spaces between the digits. Zero becomes «нет». */
const numberOf = (count: number) => (count === 0 ? 'нет' : thousands.format(count).replaceAll(/\s/g, ' '));

/** A row as an array. The HTML contains the loaded data, and the names of six fields in thirty rows would be a tenth of it. */
const rowOf = ({ title, about, kept_until, count, first_at, last_at }: StoredData) =>
  [title, about, kept_until, count, first_at, last_at] as const;

/** The kinds of data that the wall keeps about the person, by section. */
export const storedData = page({
  async load(context) {
    const { call, query } = context;
    const [{ kept }, carry] = await Promise.all([call('GET /users/current/data', {}), lastCarry(context, false)]);
    const sections = [...Map.groupBy(kept, ({ section }) => section)];
    // The HTML of all sections does not fit into the first packets of a TCP connection.
    const isPart = typeof document === 'undefined' && !query.has('all');
    const shown = isPart ? sections.slice(0, 1) : sections;
    return { carry, isPart, sections: shown.map(([name, kinds]) => ({ name, rows: kinds.map(rowOf) })) };
  },
  View: ({ carry, isPart, sections }) => (
    <>
      <div className={list.about}>
        <p className={styles.intro}>Это всё, что стена хранит о вас. В файле — то же самое, строка за строкой.</p>
        <a href={addresses.settingsExport.href()} download className={button.button} data-variant="quiet">
          Скачать мои данные
        </a>
        <h2 className={styles.title}>Унести свои записи</h2>
        <CarryForm carry={carry} at={addresses.settingsData.href()} />
      </div>
      {sections.map(({ name, rows }) => (
        <section key={name} aria-label={name}>
          <h2 className={list.heading}>{name}</h2>
          <dl className={styles.list}>
            {rows.map(([title, about, until, count, first, last]) => (
              <div key={title}>
                <dt>{title}</dt>
                {count !== null && <dd data-number>{numberOf(count)}</dd>}
                <dd>{about}</dd>
                {first !== null && last !== null && <Period isOne={count === 1} first={first} last={last} />}
                <dd>{`Хранится: ${until}`}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {isPart && <Rest />}
    </>
  ),
  acts: { carry: startCarry('/users/current') },
});

/** Loads the other sections with scripts. Without scripts the link shows them. */
function Rest() {
  const refresh = useRefresh();
  useEffect(() => void refresh(), [refresh]);
  return (
    <p className={list.about}>
      <a href={`${addresses.settingsData.href()}?all=1`}>Показать остальное</a>
    </p>
  );
}

/** The time of the only row, or of the first and the last one. */
function Period({ isOne, first, last }: { isOne: boolean; first: number; last: number }) {
  return (
    <dd>
      {isOne || first === last ? (
        <LocalTime at={first} />
      ) : (
        <>
          с <LocalTime at={first} /> по <LocalTime at={last} />
        </>
      )}
    </dd>
  );
}
