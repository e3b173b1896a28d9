import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { PersonNames } from '../../../ui/person-names.tsx';
import quote from '../card/quoted-post.module.css';
import styles from './replied-quote.module.css';
import { ShortText } from '../card/short-text.tsx';
import { useFetchedPost } from './use-fetched-post.ts';

const deleted = 'Запись удалена';

/** Safari does not focus a scrolling element by itself. */
const scrollable = { tabIndex: 0 };

/** The post to reply to. It is no link as in a card, and all of it can be read. */
export function RepliedQuote({ id }: { id: string }) {
  const { post, isCurrent, failure, retry } = useFetchedPost(id);
  if (post) {
    return (
      <blockquote className={`${quote.plain} ${styles.quote}`} {...scrollable} aria-label="На что вы отвечаете">
        <bdi className={quote.author}>
          <PersonNames {...post.owner} />
        </bdi>
        <span className={styles.text} dir="auto">
          <ShortText text={post.text} />
        </span>
        {!isCurrent && (
          <span role="status" className={styles.gone}>
            {deleted}
          </span>
        )}
      </blockquote>
    );
  }
  if (failure === null) {
    return (
      <p role="status" className={`${quote.gone} ${styles.quote}`}>
        Загрузка…
      </p>
    );
  }
  if (isNotFound(failure)) return <p className={`${quote.gone} ${styles.quote}`}>{deleted}</p>;
  return (
    <div role="alert" className={`${quote.gone} ${styles.quote}`}>
      <p>{explainError(failure)}</p>
      <Button onClick={retry}>Повторить</Button>
    </div>
  );
}
