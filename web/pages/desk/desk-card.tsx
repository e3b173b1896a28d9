import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import type { Owner } from '#contract/posts.ts';
import { Face } from '../../ui/face.tsx';
import nameLink from '../../ui/name-link.module.css';
import { PersonNames } from '../../ui/person-names.tsx';
import { PostText, ShortText } from '../../features/posts/card/post-text.tsx';
import quote from '../../features/posts/card/quoted-post.module.css';
import styles from './desk-card.module.css';

interface DeskCardProps {
  id: string;
  author: Owner;
  /** The words beside the author's name. */
  mark?: string | false;
  /** The words above the post. */
  state?: string | null;
  replied: ReportedPost['replied_post'];
  text: string;
  children: ReactNode;
}

/** A post about which a moderator decides. The id of the author's name is `${id}-author`. */
export function DeskCard({ id, author, mark = false, state = null, replied, text, children }: DeskCardProps) {
  return (
    <article
      className={styles.card}
      tabIndex={-1}
      id={id}
      aria-labelledby={`${id}-author`}
      aria-describedby={`${id}-text`}
    >
      <div className={styles.byline}>
        <Face of={author} />
        <bdi className={nameLink.name} id={`${id}-author`}>
          <a href={addresses.moderationPerson.href(author)}>
            <PersonNames {...author} />
          </a>
        </bdi>{' '}
        {mark !== false && <span className={styles.mark}>{mark}</span>}
      </div>
      {state !== null && <p className={styles.state}>{state}</p>}
      {replied && (
        <a href={addresses.post.href(replied)} className={quote.quote}>
          <Face of={replied.owner} />
          <span className={quote.byline}>
            <bdi className={quote.author}>
              <PersonNames {...replied.owner} />
            </bdi>
          </span>{' '}
          <span className={quote.text} dir="auto">
            <ShortText text={replied.text} />
          </span>
        </a>
      )}
      <PostText id={`${id}-text`} text={text} />
      {children}
    </article>
  );
}
