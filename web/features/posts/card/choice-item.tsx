import { useEffect, useEffectEvent } from 'react';
import type { Post } from '#contract/posts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { MenuItem } from '../../../ui/menu.tsx';
import { type ChoiceAction, usePerform } from '../../session/actions.ts';
import styles from './choice-item.module.css';
import type { PostChoice } from './post-choice.ts';

interface ChoiceItemProps {
  post: Post;
  choice: PostChoice;
  kind: ChoiceAction['kind'];
  /** The words for choosing and for taking it back. */
  words: readonly [to: string, back: string];
  isVisitor: boolean;
}

/** For signed-in people the item does nothing until the server has said what they chose. Visitors sign in first. */
export function ChoiceItem({ post, choice, kind, words: [to, back], isVisitor }: ChoiceItemProps) {
  const perform = usePerform();
  const chosen = useObservable(choice.states, (known) => known.get(choice.keyOf(post)));

  const ask = useEffectEvent(() => void choice.ask(post));
  useEffect(() => {
    if (!isVisitor) ask();
  }, [isVisitor]);

  const choose = () => {
    if (chosen) choice.change(post, false);
    else perform({ kind, postId: post.id });
  };
  return (
    <MenuItem disabled={!isVisitor && chosen === undefined} onChoose={choose}>
      <span className={styles.words} data-longest={to.length > back.length ? to : back}>
        {chosen && !isVisitor ? back : to}
      </span>
    </MenuItem>
  );
}
