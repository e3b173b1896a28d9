import type { ReactNode } from 'react';
import { splitLinks } from '#contract/links.ts';
import { noBreaks } from '../../../lib/no-breaks.ts';
import { shortLink } from './short-link.ts';
import styles from './post-text.module.css';

/** Renders a part of a text that begins at this offset. */
export type ShowPart = (part: string, at: number) => ReactNode;

interface PostTextProps {
  id: string;
  text: string;
  show?: ShowPart | undefined;
}

/** Links to other sites open in a new tab; hashtags and mentions lead to pages of this one. */
export function PostText({ id, text, show = noBreaks }: PostTextProps) {
  return (
    <div id={id} className={styles.text} dir="auto">
      {splitLinks(text).map((part, index) => {
        const { href, shown: address } = part;
        const shown = show(part.text, part.at);
        if (href === undefined) return shown;
        const isOwn = href.startsWith('/');
        return (
          <a
            key={index}
            href={href}
            rel="nofollow ugc noopener"
            title={isOwn ? undefined : (address ?? part.text)}
            target={isOwn ? undefined : '_blank'}
          >
            {isOwn ? (
              shown
            ) : (
              <ShortLink text={address ?? part.text} at={part.at} show={address === undefined ? show : noBreaks} />
            )}
          </a>
        );
      })}
    </div>
  );
}

/** What is not shown stays in the text, so that a copied text contains the whole address. */
function ShortLink({ text, at, show }: { text: string; at: number; show: ShowPart }) {
  const [scheme, shown, rest] = shortLink(text);
  const shownAt = at + scheme.length;
  return (
    <>
      <span className={styles.out}>{show(scheme, at)}</span>
      <span className={rest && styles.cut}>{show(shown, shownAt)}</span>
      <span className={styles.out}>{show(rest, shownAt + shown.length)}</span>
    </>
  );
}
