import { useRef, useState } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { isGeneratedUsername } from '#contract/username.ts';
import { openLayer } from '../../../lib/layers.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { Button } from '../../../ui/button.tsx';
import styles from '../../account/name-line.module.css';
import { useSessionState } from '../../session/session.ts';
import { noteBelow } from '../card/post-card.tsx';
import { isInDiscussion } from '../list/posts-on-screen.ts';
import type { PostStore } from '../store/post-store.ts';
import { heldPosts } from '../store/own-counts.ts';

const skippedKey = ({ id }: CurrentUser): string => `name-offer declined by ${id}`;

/** Whether a person has chosen no name yet and has not skipped the question. */
const lacksName = (user: CurrentUser): boolean =>
  isGeneratedUsername(user.username) &&
  user.display_name === null &&
  readStored('localStorage', skippedKey(user)) === null;

const question = 'Как вас называть?';

/** Asks for the name below what a person without one has just written. */
function NameLine() {
  const state = useSessionState();
  const line = useRef<HTMLDivElement>(null);
  const [isSkipped, setIsSkipped] = useState(false);
  if (state.is !== 'authorized' || isSkipped || !lacksName(state.user)) return null;
  const { user } = state;

  const skip = () => {
    writeStored('localStorage', skippedKey(user), new Date().toISOString());
    // The control with the focus is removed.
    line.current!.closest<HTMLElement>('[tabindex]')!.focus({ preventScroll: true });
    setIsSkipped(true);
  };
  return (
    <div ref={line} role="group" aria-label={question} className={styles.line}>
      <span>{question}</span>
      <Button variant="plain" aria-haspopup="dialog" onClick={() => openLayer(addresses.settingsProfile.href())}>
        Указать имя
      </Button>
      <Button variant="plain" onClick={skip}>
        Пропустить
      </Button>
    </div>
  );
}

/** Adds a post that was just published to the store. `isBelow`: it was written in a layer, so the page below stays on the screen. */
export async function showNew(store: PostStore, post: Post, isBelow: boolean): Promise<void> {
  store.addPost(post);
  // React renders what has been added in the same turn.
  await Promise.resolve();
  const { replied_post_id: repliedId } = post.actions;
  const isElsewhere = isBelow && repliedId !== null && !isInDiscussion(post.id);
  noteBelow.set({ postId: isElsewhere ? repliedId : post.id, note: <NameLine /> });
}

/** A newcomer's post is not on the wall yet. It is in the list of one's own. */
export const noteHeld = (): void => heldPosts.set(heldPosts.get() + 1);
