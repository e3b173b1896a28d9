import { splitLinks } from '#contract/links.ts';
import styles from './post-text.module.css';

export function PostText({ id, text }: { id: string; text: string }) {
  return (
    <div id={id} className={styles.text} dir="auto">
      {splitLinks(text).map((part, index) =>
        part.href === undefined ? (
          part.text
        ) : (
          <a key={index} href={part.href} rel="nofollow ugc noopener" target="_blank">
            {part.text}
          </a>
        ),
      )}
    </div>
  );
}
