import { useEffect, useEffectEvent } from 'react';
import type { Post } from '#contract/posts.ts';
import { MenuItem } from '../../../ui/menu-item.tsx';
import { usePerform } from '../../session/actions.ts';
import { askFollowing, changeFollowing, useFollowing } from './following.ts';
import styles from './follow-item.module.css';

const [toFollow, notToFollow] = ['Следить за обсуждением', 'Не следить'];

/** For signed-in people the item does nothing until the server has said whether they follow. Visitors sign in first. */
export function FollowItem({ post, isVisitor }: { post: Post; isVisitor: boolean }) {
  const perform = usePerform();
  const following = useFollowing(post);

  const ask = useEffectEvent(() => void askFollowing(post));
  useEffect(() => {
    if (!isVisitor) ask();
  }, [isVisitor]);

  const choose = () => {
    if (following) changeFollowing(post, false);
    else perform({ kind: 'follow', postId: post.id });
  };
  return (
    <MenuItem disabled={!isVisitor && following === undefined} onChoose={choose}>
      <span className={styles.words} data-longest={toFollow}>
        {following && !isVisitor ? notToFollow : toFollow}
      </span>
    </MenuItem>
  );
}
