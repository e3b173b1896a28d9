import type { Post } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import { addresses } from '#contract/addresses.ts';
import { useMuted } from '../../mutes/mutes.ts';
import { ShortText } from '../card/short-text.tsx';
import { usePost } from '../store/use-posts.ts';
import { wasChangedAfter } from './was-changed-after.ts';
import styles from './ancestors.module.css';

interface AncestorsProps {
  post: Post;
  /** From the root down to what the post replies to. */
  ids: readonly string[];
  /** The number of posts left out after the root. */
  skipped: number;
}

const gone = 'Запись удалена';

/** The way from the root of the discussion to the post: each step is one line, so that the post itself is seen first. */
export function Ancestors({ post, ids, skipped }: AncestorsProps) {
  const { replied_post_id: repliedId } = post.actions;
  if (repliedId === null) return null;
  // The post that this one replies to is deleted.
  const isCut = ids.at(-1) !== repliedId;
  const [root, ...rest] = ids;
  const last = isCut ? undefined : rest.pop();
  const folded = rest.length + skipped;
  return (
    <div className={styles.chain} role="group" aria-label="Начало обсуждения">
      {root !== undefined && <Ancestor reply={post} id={root} missing={gone} />}
      {folded > 0 && (
        <details className={styles.folded}>
          <summary className={styles.summary}>
            <span>Ещё {folded}</span>
            <span>Свернуть</span>
          </summary>
          {skipped > 0 && rest[0] !== undefined && (
            <a className={styles.step} href={addresses.post.href({ id: rest[0] })}>
              Пропущено: {skipped}
            </a>
          )}
          {rest.map((id) => (
            <Ancestor key={id} reply={post} id={id} missing={gone} />
          ))}
        </details>
      )}
      {last !== undefined && <Ancestor reply={post} id={last} missing={gone} />}
      {isCut && <p className={styles.step}>{gone}</p>}
    </div>
  );
}

/** The same before it is loaded: the lines that are not known yet are empty. */
export function AncestorsPreview({ post }: { post: Post }) {
  const { parent_post_id: root, replied_post_id: repliedId, replied_post: replied } = post.actions;
  if (root === null || repliedId === null) return null;
  const isRoot = repliedId === root;
  const isBelowRoot = replied?.actions.replied_post_id === root;
  return (
    <div className={styles.chain}>
      <Ancestor reply={post} id={root} missing="" />
      {!isRoot && !isBelowRoot && <p className={styles.step}>Ещё</p>}
      {!isRoot && <Ancestor reply={post} id={repliedId} missing="" />}
    </div>
  );
}

interface AncestorProps {
  id: string;
  /** Shown if the store does not have the post. */
  missing: string;
  /** The post of the page. */
  reply: Post;
}

function Ancestor({ id, missing, reply }: AncestorProps) {
  const post = usePost(id);
  if (!post) return <p className={styles.step}>{missing}</p>;
  return <AncestorLine post={post} isChanged={reply.actions.replied_post_id === id && wasChangedAfter(post, reply)} />;
}

function AncestorLine({ post, isChanged }: { post: Post; isChanged: boolean }) {
  const isMuted = useMuted(post.owner.id);
  return (
    <a href={addresses.post.href(post)} className={styles.step} data-author={post.owner.id}>
      <bdi className={styles.author}>{shownName(post.owner)}</bdi>
      <span className={styles.text} dir="auto">
        {isMuted ? 'Автор скрыт' : <ShortText text={post.text} />}
      </span>
      {isChanged && <span className={styles.changed}>изменено после ответа</span>}
    </a>
  );
}
