import { useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { useClientSettings } from '../../../lib/client-settings.ts';
import { usePerform } from '../../session/actions.ts';
import { useSessionState } from '../../session/session.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { showToast } from '../../../lib/toasts.ts';
import { useMuteToggle } from '../../mutes/mutes.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { countdown, useEditSecondsLeft } from './edit-window.ts';
import { ChoiceItem } from './choice-item.tsx';
import { type Moderated, moderating } from './moderating.ts';
import { bookmark, following } from './post-choice.ts';
import { usePost } from '../store/use-posts.ts';
import { rootIdOf } from './root-id.ts';
import { selectedQuote } from './selected-quote.ts';

export { bookmark, following } from './post-choice.ts';

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
  const { isMuted, toggle } = useMuteToggle(post.owner.id);
  const secondsLeft = useEditSecondsLeft(post);
  // As of opening the menu.
  const [quote] = useState(() => {
    const selected = selectedQuote();
    return selected?.postId === post.id ? selected.quote : null;
  });
  const isKnown = session.is !== 'authorizing';
  const isOwn = session.is === 'authorized' && session.user.id === post.owner.id;

  const { isClosed: onWallOfMembers } = useClientSettings();
  const isModerator = session.is === 'authorized' && session.user.role !== undefined;
  const isRoot = post.actions.replied_post_id === null;
  const pinning = addresses.moderationSection.href({ section: 'pin' }, { q: post.id });

  const isClosed = usePost(rootIdOf(post))?.actions.is_closed;
  const moderate = (act: Moderated['act']) => () => moderating.set({ act, post });

  const chosen = { post, isVisitor: session.is === 'signed-out' };
  const want = (kind: 'edit' | 'delete' | 'report') => () => perform({ kind, postId: post.id });
  return (
    <Menu id={id} label={label} onClose={onClose}>
      {quote !== null && (
        <MenuItem onChoose={() => perform({ kind: 'reply', postId: post.id, quote })}>Цитировать</MenuItem>
      )}
      {isOwn && secondsLeft > 0 && <MenuItem onChoose={want('edit')}>Изменить · {countdown(secondsLeft)}</MenuItem>}
      {isOwn && <MenuItem onChoose={want('delete')}>Удалить</MenuItem>}
      {isOwn && onWallOfMembers && (
        <MenuItem onChoose={() => location.assign(addresses.postActions.href(post))}>Видна всем…</MenuItem>
      )}
      <MenuItem onChoose={() => void copyLink(post.id)}>Скопировать ссылку</MenuItem>
      {isKnown && (
        <ChoiceItem {...chosen} kind="bookmark" choice={bookmark} words={['Сохранить', 'Убрать из сохранённого']} />
      )}
      {isKnown && (
        <ChoiceItem {...chosen} kind="follow" choice={following} words={['Следить за обсуждением', 'Не следить']} />
      )}
      {isKnown && !isOwn && <MenuItem onChoose={toggle}>{isMuted ? 'Показывать' : 'Не показывать'} автора</MenuItem>}
      {isKnown && !isOwn && <MenuItem onChoose={want('report')}>Пожаловаться</MenuItem>}
      {isModerator && (
        <>
          {!isOwn && <MenuItem onChoose={moderate('remove')}>Убрать со стены…</MenuItem>}
          <MenuItem onChoose={moderate(isClosed ? 'unlock' : 'lock')}>
            {isClosed ? 'Открыть' : 'Закрыть'} обсуждение…
          </MenuItem>
          {!isClosed && <MenuItem onChoose={moderate('pace')}>Медленный режим…</MenuItem>}
        </>
      )}
      {isModerator && isRoot && <MenuItem onChoose={() => location.assign(pinning)}>Закрепить</MenuItem>}
    </Menu>
  );
}

async function copyLink(id: string): Promise<void> {
  const path = addresses.post.href({ id });
  if (await copyText(location.origin + path)) showToast('Ссылка скопирована');
  else showToast('Не удалось скопировать. Ссылка — в адресной строке записи.', { href: path, text: 'Открыть' });
}
