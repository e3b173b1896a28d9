import button from './button.module.css';
import styles from './next-link.module.css';

interface NextLinkProps {
  /** The query of the current page. */
  query: URLSearchParams;
  /** The cursor after the last item of the page; null at the end of the list. */
  next: string | null;
}

/** A link to the next page of a list. */
export function NextLink({ query, next }: NextLinkProps) {
  if (next === null) return null;
  const onward = new URLSearchParams(query);
  onward.set('cursor', next);
  return (
    <p className={styles.next}>
      <a className={button.button} data-variant="quiet" href={`?${onward}`} rel="next">
        Дальше
      </a>
    </p>
  );
}
