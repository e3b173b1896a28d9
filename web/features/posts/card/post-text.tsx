import { Fragment, type ReactNode } from 'react';
import { splitLinks } from '#contract/links.ts';
import type { Mentions } from '#contract/posts.ts';
import { quotedLines, splitQuotations, withoutSigns } from '#contract/text-parts.ts';
import styles from './post-text.module.css';
import { shortLink } from './short-link.ts';

/** The text of a post for small places. A quotation stands in quotation marks, without the `>` of its lines. */
export const ShortText = ({ text, mentions }: Pick<PostTextProps, 'text' | 'mentions'>) =>
  splitQuotations(text.replaceAll(/@\w+/g, (mention) => mentions?.[mention] ?? mention)).map(
    ({ quoted, text: part, at }) => (quoted ? [<q key={at}>{withoutSigns(part)}</q>, ' '] : part),
  );

/** Renders a part of a text that begins at this offset. */
export type ShowPart = (part: string, at: number) => ReactNode;

const asItIs: ShowPart = (part) => part;

interface PostTextProps {
  id: string;
  text: string;
  mentions?: Mentions | undefined;
  show?: ShowPart | undefined;
}

/** The text of a post. The `>` of quoted lines is invisible, but part of a copied text. */
export function PostText({ id, text, show = asItIs, mentions }: PostTextProps) {
  return (
    <div id={id} className={styles.text} dir="auto">
      {splitQuotations(text).map((block) =>
        block.quoted ? (
          <blockquote key={block.at} className={styles.quotation}>
            {quotedLines(block).map((line) => (
              <Fragment key={line.at}>
                <span className={styles.copied}>{line.sign}</span>
                <LinkedText text={line.text} from={line.at} show={show} mentions={mentions} />
              </Fragment>
            ))}
          </blockquote>
        ) : (
          <LinkedText key={block.at} text={block.text} from={block.at} show={show} mentions={mentions} />
        ),
      )}
    </div>
  );
}

interface LinkedTextProps extends Pick<PostTextProps, 'text' | 'mentions'> {
  from: number;
  show: ShowPart;
}

/**
 * Links to other sites open in a new tab; hashtags and mentions lead to pages of this one. Of a mention with a name the name is
 * visible, and the username is part of a copied text.
 */
function LinkedText({ text, from, show, mentions }: LinkedTextProps) {
  return splitLinks(text).map((part, index) => {
    const { href, shown: address } = part;
    const at = from + part.at;
    const shown = show(part.text, at);
    if (href === undefined) return shown;
    const isOwn = href.startsWith('/');
    const name = mentions?.[part.text];
    return (
      <a
        key={index}
        href={href}
        rel="nofollow ugc noopener"
        title={isOwn && !name ? undefined : (address ?? part.text)}
        aria-label={name}
        target={isOwn ? undefined : '_blank'}
      >
        {isOwn ? shown : <ShortLink text={address ?? part.text} at={at} show={address === undefined ? show : asItIs} />}
      </a>
    );
  });
}

/** The hidden parts stay in the text, so that a copied text contains the whole address. */
function ShortLink({ text, at, show }: { text: string; at: number; show: ShowPart }) {
  const [scheme, shown, rest] = shortLink(text);
  const shownAt = at + scheme.length;
  return (
    <>
      <span className={styles.copied}>{show(scheme, at)}</span>
      <span className={rest && styles.cut}>{show(shown, shownAt)}</span>
      <span className={styles.copied}>{show(rest, shownAt + shown.length)}</span>
    </>
  );
}
