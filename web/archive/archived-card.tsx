import { useId } from 'react';
import { shownName } from '#contract/username.ts';
import postActions from '../features/posts/card/post-actions.module.css';
import card from '../features/posts/card/post-card.module.css';
import { PostText } from '../features/posts/card/post-text.tsx';
import postTime from '../features/posts/card/post-time.module.css';
import { indentOf, namesReplied } from '../features/posts/thread/rows.ts';
import thread from '../features/posts/thread/thread.module.css';
import { plural, replyForms } from '../lib/counts.ts';
import { exactTime, machineTime } from '../lib/time.ts';
import { Face } from '../ui/face.tsx';
import { Icon } from '../ui/icon.tsx';
import nameLink from '../ui/name-link.module.css';
import { Handle, ShownName } from '../ui/person-names.tsx';
import { placeOf } from './places.ts';
import type { ArchivedPost } from './read-carried.ts';

interface ArchivedCardProps {
  post: ArchivedPost;
  kind: 'list' | 'thread' | 'page';
  /** The place of a reply in its discussion. */
  branch?: { level: number; splits: number; replied: ArchivedPost | undefined; isNamed: boolean };
}

/** The post of the wall without what one can do with it. */
export function ArchivedCard({ post, kind, branch }: ArchivedCardProps) {
  const id = useId();
  const { owner, text, mentions, at, isModified, size } = post;
  const place = branch && indentOf(branch);
  return (
    <article
      id={kind === 'list' ? undefined : post.id}
      className={card.card}
      data-in={kind}
      data-depth={place?.depth}
      data-line={place?.line}
      data-goes-on={(kind === 'thread' && post.replies.length > 0) || undefined}
      aria-labelledby={`${id}author`}
      aria-describedby={`${id}text`}
    >
      <div className={card.body}>
        <div className={card.byline}>
          <bdi className={`${nameLink.name} ${card.name}`} id={`${id}author`}>
            <a href={placeOf.person(owner.id)}>
              <Face of={owner} />
              <ShownName {...owner} />
            </a>
          </bdi>{' '}
          <a href={placeOf.post(post.id)} className={postTime.link}>
            <time dateTime={machineTime(at)}>{exactTime(at)}</time>
          </a>{' '}
          <span className={card.rest}>
            <span>
              {isModified && <span>изменено</span>}{' '}
              {owner.display_name !== null && !owner.is_namesake && <Handle username={owner.username} />}
            </span>
          </span>
        </div>
        {branch?.isNamed && (
          <a className={thread.replied} href={branch.replied && placeOf.post(branch.replied.id)}>
            в ответ {branch.replied ? <bdi>{shownName(branch.replied.owner)}</bdi> : 'на удалённую запись'}
          </a>
        )}
        <PostText id={`${id}text`} text={text} mentions={mentions} />
        {kind === 'list' && (size > 0 || post.root !== undefined) && (
          <div className={postActions.actions}>
            <a href={placeOf.post(post.id)} className={postActions.action}>
              <Icon name="reply" />
              {post.root === undefined ? plural(size, replyForms) : 'В обсуждении'}
            </a>
          </div>
        )}
      </div>
    </article>
  );
}

interface Branch {
  post: ArchivedPost;
  level: number;
  splits: number;
  parent: string;
}

interface ArchivedThreadProps {
  first: readonly ArchivedPost[];
  /** Replies of all levels. */
  size: number;
  find: (id: string) => ArchivedPost | undefined;
  /** The reply that the reader has asked for. */
  asked: string;
}

/** The replies as rows of a tree, each below the one it answers. */
export function ArchivedThread({ first, size, find, asked }: ArchivedThreadProps) {
  const rows: Branch[] = [];
  const waiting: Branch[] = first.toReversed().map((post) => ({ post, level: 1, splits: 0, parent: post.to! }));
  for (let row; (row = waiting.pop());) {
    rows.push(row);
    const { post, level, splits } = row;
    const below = splits + (post.replies.length > 1 ? 1 : 0);
    for (const reply of post.replies.toReversed()) {
      waiting.push({ post: reply, level: level + 1, splits: below, parent: post.id });
    }
  }
  if (size === 0) return null;
  return (
    <>
      <div className={thread.head}>
        <h2 className={thread.heading}>{plural(size, replyForms)}</h2>
      </div>
      {rows.map(({ post, level, splits, parent }, i) => {
        const replied = find(parent);
        const isNamed = !replied || namesReplied({ level, parent }, rows[i - 1]?.post);
        return (
          <div key={post.id} className={thread.row} data-flash={post.id === asked || undefined}>
            <ArchivedCard post={post} kind="thread" branch={{ level, splits, replied, isNamed }} />
          </div>
        );
      })}
    </>
  );
}
