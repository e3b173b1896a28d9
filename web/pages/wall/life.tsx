import { addresses } from '#contract/addresses.ts';
import type { Day } from '#contract/wall-admin.ts';
import type { PageContext } from '../../forms/page-module.ts';
import { plural, replyForms } from '../../lib/counts.ts';
import admin from './wall-admin.module.css';
import styles from './life.module.css';

type Figure = Exclude<keyof Day, 'day'>;

const daySeconds = 24 * 3_600;

const dates = new Intl.DateTimeFormat('ru', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** '20 ноября', built from parts because engines join them differently. */
function dateOf({ day }: Day): string {
  const part = Object.fromEntries(dates.formatToParts(day * 1_000).map(({ type, value }) => [type, value]));
  return `${part['day']} ${part['month']}`;
}

const sumOf = (days: readonly Day[], figure: Figure): number => days.reduce((sum, day) => sum + day[figure], 0);

/** The height of a picture, in its own units. One day is one unit wide. */
const height = 100;
/** The least height of a bar, so that 1 is visible beside 10,000. */
const lowest = 3;

interface Part {
  className: string;
  of(day: Day): number;
}

/** The bars of each part as one path of vertical lines. The first part is at the bottom, the others are above it. */
function pathsOf(days: readonly Day[], parts: readonly Part[]): string[] {
  const most = Math.max(1, ...days.map((day) => parts.reduce((sum, { of }) => sum + of(day), 0)));
  const scale = height - parts.length * lowest;
  const paths = parts.map(() => '');
  days.forEach((day, x) => {
    let y = height;
    parts.forEach(({ of }, i) => {
      if (of(day) === 0) return;
      paths[i] += `M${x} ${y}`;
      y -= Math.max(lowest, Math.round((of(day) / most) * scale));
      paths[i] += `V${y}`;
    });
  });
  return paths;
}

interface PictureProps {
  days: readonly Day[];
  title: string;
  /** The content of the picture in words, for screen readers. */
  label: string;
  /** The parts of each bar, the one at the bottom first. */
  parts: ReadonlyArray<Part & { name: string }>;
}

/** A bar for each day. The texts are beside the picture, so that they keep their size on a narrow screen. */
const Picture = ({ days, title, label, parts }: PictureProps) =>
  days.some((day) => parts.some(({ of }) => of(day) > 0)) && (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <b>{title}</b>
        {parts.length > 1 &&
          parts.map(({ name, className }) => (
            <span key={name} className={styles.part}>
              <svg className={styles.sample} viewBox="0 0 1 1" aria-hidden="true">
                <path className={className} d="M0.5 0V1" />
              </svg>
              {name}
            </span>
          ))}
      </figcaption>
      <svg
        className={styles.picture}
        viewBox={`-0.5 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {pathsOf(days, parts).map((d, i) => (
          <path key={parts[i]!.className} className={parts[i]!.className} d={d} />
        ))}
      </svg>
      <div className={styles.dates} aria-hidden="true">
        {[0, Math.floor(days.length / 2), days.length - 1].map((at) => (
          <span key={at}>{dateOf(days[at]!)}</span>
        ))}
      </div>
    </figure>
  );

const columns = [
  ['posts', 'Записи'],
  ['replies', 'Ответы'],
  ['writers', 'Писали'],
  ['newcomers', 'Новые'],
  ['answered', 'С ответом'],
] as const;

const Table = ({ days }: { days: readonly Day[] }) => (
  <details>
    <summary className={styles.summary}>По дням</summary>
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">День</th>
          {columns.map(([figure, name]) => (
            <th key={figure} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.day}>
            <th scope="row">{dateOf(day)}</th>
            {columns.map(([figure]) => (
              <td key={figure}>{day[figure]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

/** The day with the most people, in words. */
function liveliest(days: readonly Day[]): string {
  const best = days.reduce((found, day) => (day.writers > found.writers ? day : found));
  return `Больше всего людей писало ${dateOf(best)}: ${best.writers}.`;
}

function Pictures({ days }: { days: readonly Day[] }) {
  const written = `${plural(sumOf(days, 'posts'), ['запись', 'записи', 'записей'])} и ${plural(sumOf(days, 'replies'), replyForms)}`;
  const [newcomers, answered] = [sumOf(days, 'newcomers'), sumOf(days, 'answered')];
  const came =
    newcomers === 0
      ? 'Новых людей не было.'
      : `Новых людей — ${newcomers}. Ответ на первую запись за сутки получили ${answered} из ${newcomers}.`;
  const most = Math.max(...days.map(({ posts, replies }) => posts + replies));
  const people = liveliest(days);
  return (
    <>
      <p>
        За {days.length} дней: {written}. {most > 0 && people} {came}
      </p>
      <Picture
        days={days}
        title={`Записи и ответы, до ${most} за день`}
        label={`Записи и ответы по дням: ${written}`}
        parts={[
          { name: 'записи', className: styles.main!, of: ({ posts }) => posts },
          { name: 'ответы', className: styles.second!, of: ({ replies }) => replies },
        ]}
      />
      <Picture
        days={days}
        title={`Сколько людей писало, до ${Math.max(...days.map(({ writers }) => writers))} за день`}
        label={`Сколько людей писало по дням. ${people}`}
        parts={[{ name: 'люди', className: styles.main!, of: ({ writers }) => writers }]}
      />
      <Picture
        days={days}
        title={`Новые люди, до ${Math.max(...days.map((day) => day.newcomers))} за день`}
        label={`Новые люди по дням. ${came}`}
        parts={[
          { name: 'получили ответ', className: styles.main!, of: (day) => day.answered },
          { name: 'пока без ответа', className: styles.second!, of: (day) => day.newcomers - day.answered },
        ]}
      />
      <Table days={days} />
    </>
  );
}

/** Loads the data of the page as arrays: without the names of fields the HTML fits into the first packets of a connection. */
export async function loadLife({ call, query }: PageContext) {
  const { days } = await call('GET /keep/life', { query: query.get('days') === '90' ? { days: '90' } : {} });
  return { from: days[0]!.day, rows: days.map((day) => columns.map(([figure]) => day[figure])) };
}

/** The figures of the wall in the last days. */
export function Life({ from, rows }: Awaited<ReturnType<typeof loadLife>>) {
  const days = rows.map((row, i) => {
    const figures = Object.fromEntries(columns.map(([figure], at) => [figure, row[at]!])) as Omit<Day, 'day'>;
    return { ...figures, day: from + i * daySeconds };
  });
  const isEmpty = days.every((day) => columns.every(([figure]) => day[figure] === 0));
  const isLong = days.length > 30;
  return (
    <div className={admin.section} role="group" aria-label="Жизнь стены">
      {isEmpty ? <p>За {days.length} дней на стене ничего не происходило.</p> : <Pictures days={days} />}
      <p className={admin.quiet}>Дни считаются по Гринвичу (UTC), удалённое не считается.</p>
      <p className={admin.links}>
        <a href={addresses.keep.href({}, { part: 'life', ...(!isLong && { days: '90' }) })}>
          За {isLong ? 30 : 90} дней
        </a>
      </p>
    </div>
  );
}
