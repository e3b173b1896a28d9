import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { useClientSettings } from '../../../lib/client-settings.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { useObservable } from '../../../lib/observable.ts';
import { showToast } from '../../../lib/toasts.ts';
import { MenuIcon } from '../../../ui/menu-icon.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { useMuteToggle } from '../../mutes/mute-toggle.ts';
import { type ChoiceAction, usePerform } from '../../session/actions.ts';
import { useSessionState } from '../../session/session.ts';
import { usePost } from '../store/use-posts.ts';
import styles from './choice-item.module.css';
import { useRemainingEditSeconds } from './edit-window.ts';
import { countdown } from '../../../lib/counts.ts';
import { actsOn, beginsGroup, type PostAct } from './post-acts.ts';
import { authors, bookmark, following, type PostChoice } from './post-choice.ts';
import { rootIdOf } from '../store/thread-tree.ts';
import { selectedQuote } from './selected-quote.ts';

interface ChoiceItemProps {
  post: Post;
  choice: Pick<PostChoice, 'states' | 'keyOf' | 'ask' | 'change'>;
  action: ChoiceAction;
  /** The words for choosing and for taking the choice back. */
  words: readonly [to: string, back: string];
  isVisitor: boolean;
  look: Pick<Parameters<typeof MenuItem>[0], 'icon' | 'isFirst' | 'destroys'>;
}

/** For signed-in people the item does nothing until the server has said what they chose. Visitors sign in first. */
function ChoiceItem({ post, choice, action, words: [to, back], isVisitor, look }: ChoiceItemProps) {
  const perform = usePerform();
  const chosen = useObservable(choice.states, (known) => known.get(choice.keyOf(post)));

  const ask = useEffectEvent(() => void choice.ask(post));
  useEffect(() => {
    if (!isVisitor) ask();
  }, [isVisitor]);

  const choose = () => {
    if (chosen) choice.change(post, false);
    else perform(action);
  };
  return (
    <MenuItem {...look} disabled={!isVisitor && chosen === undefined} onChoose={choose}>
      <span className={styles.words} data-longest={to.length > back.length ? to : back}>
        {chosen && !isVisitor ? back : to}
      </span>
    </MenuItem>
  );
}

export { choose } from './post-choice.ts';

interface PostMenuProps {
  id: string;
  label: string;
  post: Post;
  onClose: () => void;
}

/** The items depend on the post's author. Until the session is known the menu contains only what everyone may do. */
export function PostMenu({ id, label, post, onClose }: PostMenuProps) {
  const perform = usePerform();
  const session = useSessionState();
  const settings = useClientSettings();
  const { isMuted, toggle } = useMuteToggle(post.owner.id);
  const remainingSeconds = useRemainingEditSeconds(post);
  // The selection may be gone later, so it is read when the menu opens.
  const [quote] = useState(() => {
    const selected = selectedQuote();
    return selected?.postId === post.id ? selected.quote : null;
  });
  const isClosed = usePost(rootIdOf(post))?.actions.is_closed === true;
  const me = session.is === 'authorized' ? session.user : null;
  const isKnown = session.is !== 'authorizing';
  const it = { post, me, mayEdit: remainingSeconds > 0, isWallClosed: settings.isClosed === true, isClosed };

  const acts = actsOn(it).filter(({ kind }) => isKnown || kind === 'copy' || kind === 'share');
  const itemOf = (act: PostAct, index: number): ReactNode => {
    const key = String(act.words);
    const shown = {
      icon: <MenuIcon name={act.icon} />,
      isFirst: beginsGroup(acts, index),
      destroys: act.kind === 'page' && act.destroys,
    };
    if (act.kind === 'copy' || act.kind === 'share') {
      const run = act.kind === 'copy' ? copyLink : share;
      return (
        <MenuItem key={key} {...shown} onChoose={() => void run(post.id)}>
          {act.words}
        </MenuItem>
      );
    }
    if (act.kind === 'page') {
      const href = act.href(it);
      const open = () => (act.opens === 'screen' ? location.assign(href) : perform({ kind: 'layer', href }));
      return (
        <MenuItem key={key} {...shown} onChoose={open}>
          {act.words}
          {href === addresses.postEdit.href(post) && ` · ${countdown(remainingSeconds)}`}
        </MenuItem>
      );
    }
    if (act.choice === 'mute') {
      return (
        <MenuItem key={key} {...shown} onChoose={toggle}>
          {act.words[isMuted ? 1 : 0]}
        </MenuItem>
      );
    }
    const { choice: kind, words } = act;
    const action: ChoiceAction = kind === 'author' ? { kind, author: post.owner } : { kind, postId: post.id };
    const choice = { bookmark, follow: following, author: authors }[kind];
    return <ChoiceItem key={key} {...{ post, choice, action, words, look: shown }} isVisitor={me === null} />;
  };
  return (
    <Menu id={id} label={label} onClose={onClose}>
      {quote !== null && (
        <MenuItem
          icon={<MenuIcon name="quote" />}
          onChoose={() => perform({ kind: 'layer', href: addresses.postReply.href(post, { quote }) })}
        >
          Цитировать
        </MenuItem>
      )}
      {acts.map(itemOf)}
    </Menu>
  );
}

/** Opens the system's share dialog. Copies the link where there is none. Closing the dialog is no failure. */
async function share(id: string): Promise<void> {
  const url = location.origin + addresses.post.href({ id });
  try {
    await navigator.share({ url });
  } catch (error) {
    if ((error as Error).name !== 'AbortError') await copyLink(id);
  }
}

async function copyLink(id: string): Promise<void> {
  const path = addresses.post.href({ id });
  if (await copyText(location.origin + path)) showToast('Ссылка скопирована');
  else showToast('Не удалось скопировать ссылку', { href: path, text: 'Открыть' });
}
