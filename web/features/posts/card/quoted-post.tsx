import { addresses } from '#contract/addresses.ts';
import type { QuotedPost as Quoted } from '#contract/posts.ts';
import { useHides } from '../../mutes/mutes.ts';
import { Face } from '../../../ui/face.tsx';
import { ShownName } from '../../../ui/person-names.tsx';
import { ShortText } from './post-text.tsx';
import styles from './quoted-post.module.css';

interface QuotedPostProps {
  post: Quoted | null;
  /** When the reply was written. */
  repliedAt: number;
}

/** The post that is replied to, shortened and linked. */
export function QuotedPost({ post, repliedAt }: QuotedPostProps) {
  const why = useHides()(post);
  if (post === null) return <p className={styles.gone}>Запись удалена</p>;
  return (
    <a href={addresses.post.href(post)} className={styles.quote} data-author={post.owner.id}>
      <Face of={post.owner} />
      <span className={styles.byline}>
        <bdi className={styles.author}>
          <ShownName {...post.owner} />
        </bdi>{' '}
        {post.modified_at! > repliedAt && <span className={styles.changed}>изменено после ответа</span>}
      </span>{' '}
      <span className={styles.text} dir="auto">
        {why ?? <ShortText {...post} />}
      </span>
    </a>
  );
}
