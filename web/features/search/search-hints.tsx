import styles from './search-hints.module.css';

const hints = [
  ['ёлка', 'и «ёлки», и «елок»: любая форма слова'],
  ['"точная фраза"', 'слова подряд, как написано'],
  ['от:имя', 'записи одного автора, можно и без слов'],
  ['с:2026-01-01', 'не раньше этого дня'],
  ['по:2026-02-01', 'не позже этого дня'],
];

/** Explains what a query may consist of. */
export function SearchHints() {
  return (
    <section className={styles.hints} aria-label="Как искать">
      <p>Находятся записи и ответы, в которых есть все слова запроса.</p>
      <dl>
        {hints.map(([query, does]) => (
          <div key={query}>
            <dt>
              <code>{query}</code>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
