import { Fragment, type ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import { folded } from '#contract/excerpt.ts';
import { splitLinks } from '#contract/links.ts';
import { splitQuotations, withoutSigns } from '#contract/quotations.ts';
import type { Post, QuotedPost } from '#contract/posts.ts';
import { ShortText } from '../features/posts/card/short-text.tsx';
import { PersonNames } from '../ui/person-names.tsx';
import { machineTime, relativeTime } from '../lib/time.ts';

interface PostViewProps {
  post: Post | QuotedPost;
  now: number;
  /** Words beside the author's name. */
  note?: string | undefined;
  /** Without links to reply and to act. */
  isAlone?: boolean;
  children?: ReactNode;
}

export function PostView({ post, now, note, isAlone = false, children }: PostViewProps) {
  const { id, owner, text, created_at: at, is_modified: isModified, actions } = post;
  const replied = actions.replied_post;
  const beginning = folded(text);
  return (
    <article>
      <p className="quiet">
        <a href={addresses.user.href(owner)}>
          <PersonNames {...owner} />
        </a>
        {' · '}
        <a href={addresses.post.href({ id })}>
          <time dateTime={machineTime(at)}>{relativeTime(at, now)}</time>
        </a>
        {isModified && ' · изменено'}
        {note !== undefined && ` · ${note}`}
      </p>
      {actions.replied_post_id !== null && (
        <blockquote>
          {replied ? (
            <a href={addresses.post.href(replied)}>
              <PersonNames {...replied.owner} />: <ShortText text={[...replied.text].slice(0, quoteLength).join('')} />
            </a>
          ) : (
            'Запись удалена'
          )}
        </blockquote>
      )}
      <PlainText text={beginning ?? text} />
      {beginning !== null && (
        <p>
          <a href={addresses.post.href({ id })}>Показать целиком</a>
        </p>
      )}
      {!isAlone && (
        <p className="quiet">
          Нравится: {actions.likes_count} · Ответов: {actions.thread_count ?? actions.replies_count} ·{' '}
          <a href={addresses.postReply.href({ id })}>Ответить</a> ·{' '}
          <a href={addresses.postActions.href({ id })}>Действия</a>
        </p>
      )}
      {children}
    </article>
  );
}

const quoteLength = 120;

export const PlainText = ({ text }: { text: string }) => (
  <div className="text" dir="auto">
    {splitQuotations(text).map(({ quoted, text: part, at }) =>
      quoted ? (
        <blockquote key={at}>{linked(withoutSigns(part))}</blockquote>
      ) : (
        <Fragment key={at}>{linked(part)}</Fragment>
      ),
    )}
  </div>
);

const linked = (text: string) =>
  splitLinks(text).map(({ text: part, at, href }) =>
    href === undefined ? (
      part
    ) : (
      <a key={at} href={href} rel="nofollow ugc noopener">
        {part}
      </a>
    ),
  );
