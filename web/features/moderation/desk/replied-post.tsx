import { addresses } from '#contract/addresses.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import { PersonNames } from '../../../ui/person-names.tsx';
import quote from '../../posts/card/quoted-post.module.css';
import { ShortText } from '../../posts/card/short-text.tsx';

/** The beginning of what a post replies to, as a link. */
export const RepliedPost = ({ post }: { post: NonNullable<ReportedPost['replied_post']> }) => (
  <a href={addresses.post.href(post)} className={quote.quote}>
    <span className={quote.byline}>
      <bdi className={quote.author}>
        <PersonNames {...post.owner} />
      </bdi>
    </span>
    <span className={quote.text} dir="auto">
      <ShortText text={post.text} />
    </span>
  </a>
);
