import { splitLinks } from '#contract/links.ts';
import { noBreaks } from '../../../lib/no-breaks.ts';
import { shortLink } from './short-link.ts';
import styles from './post-text.module.css';

export function PostText({ id, text }: { id: string; text: string }) {
  return (
    <div id={id} className={styles.text} dir="auto">
      {splitLinks(text).map((part, index) =>
        part.href === undefined ? (
          noBreaks(part.text)
        ) : (
          <a key={index} href={part.href} title={part.text} rel="nofollow ugc noopener" target="_blank">
            <ShortLink text={part.text} />
          </a>
        ),
      )}
    </div>
  );
}

/** What is not shown stays in the text, so that a copied text contains the whole address. */
function ShortLink({ text }: { text: string }) {
  const [scheme, shown, rest] = shortLink(text);
  return (
    <>
      <span className={styles.out}>{scheme}</span>
      <span className={rest && styles.cut}>{shown}</span>
      <span className={styles.out}>{rest}</span>
    </>
  );
}
