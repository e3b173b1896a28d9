import styles from './failed-start.module.css';

/** Leads to the page itself, with its query. */
const sameAddress = '';

/** In the HTML of every page; shown when the browser could not load the app. */
export function FailedStart() {
  return (
    <p role="alert" className={styles.line}>
      Страница загрузилась не полностью: часть кнопок не работает. <a href={sameAddress}>Загрузить ещё раз</a>
    </p>
  );
}
