import { useEffect, useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { showLiveMessage } from '../../../ui/live-region.tsx';
import iconButton from '../../../ui/icon-button.module.css';
import { Face } from '../../../ui/face.tsx';
import nameLink from '../../../ui/name-link.module.css';
import { Icon } from '../../../ui/icon.tsx';
import { ShownName } from '../../../ui/person-names.tsx';
import { PostText } from '../card/post-text.tsx';
import { PostTime } from '../card/post-time.tsx';
import { focusPost } from '../list/posts-on-screen.ts';
import { usePost, usePostStore } from '../store/use-posts.ts';
import { closedPin, closePin, readClosedPin } from '../list/closed-pin.ts';
import styles from './pinned-post.module.css';

if (!import.meta.env.SSR) readClosedPin();

/** The pinned post above the feed. After the reader has closed it, the post appears among the others in the feed. */
export function PinnedPost({ post: given }: { post: Post }) {
  const id = useId();
  const store = usePostStore();
  const closed = useObservable(closedPin);
  const isDeleted = useObservable(store.content, () => store.posts.deleted.has(given.id));
  const post = usePost(given.id) ?? given;
  // This is known before the right column arrives with the end of the HTML, so nothing moves when it arrives.
  const hasAside = useObservable(store.content, ({ beside }) => beside().aside !== undefined);

  useEffect(() => {
    // Events change only posts that are in the store.
    if (!store.post(given.id)) store.storePost(given);
  }, [store, given]);

  if (isDeleted || closed === post.id) return null;

  const close = () => {
    closePin(post.id);
    showLiveMessage('Объявление закрыто');
    // The button with the focus is removed.
    focusPost(1);
  };
  return (
    <section className={styles.pinned} data-pin={post.id} data-beside={hasAside} aria-labelledby={`${id}title`}>
      <div className={styles.header}>
        <h2 id={`${id}title`} className={styles.title}>
          Объявление
        </h2>
        <button
          type="button"
          className={`${iconButton.button} ${styles.close}`}
          aria-label="Закрыть объявление"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className={styles.byline}>
        <Face of={post.owner} />
        <bdi className={nameLink.name}>
          <a href={addresses.user.href(post.owner)}>
            <ShownName {...post.owner} />
          </a>
        </bdi>{' '}
        <PostTime post={post} />
      </div>
      <PostText id={`${id}text`} text={post.text} mentions={post.mentions} />
      <a href={addresses.post.href(post)} className={styles.open}>
        Открыть запись
      </a>
    </section>
  );
}
