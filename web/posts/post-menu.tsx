import type { Post } from '#contract/posts.ts';
import { useIntend } from '../auth/intent-context.ts';
import { useSessionState } from '../auth/session-context.ts';
import { copyText } from '../lib/copy-text.ts';
import { showToast } from '../lib/toasts.ts';
import { useMuteToggle } from '../mutes/use-mute-toggle.ts';
import { Menu } from '../ui/menu.tsx';
import { MenuItem } from '../ui/menu-item.tsx';
import { countdown, useEditSecondsLeft } from './edit-window.ts';

interface PostMenuProps {
  id: string;
  label: string;
  post: Post;
  onClose: () => void;
}

/** What one may do with a post depends on whose it is; while that is not known only what everyone may. */
export function PostMenu({ id, label, post, onClose }: PostMenuProps) {
  const intend = useIntend();
  const session = useSessionState();
  const { isMuted, toggle } = useMuteToggle(post.owner.id);
  const secondsLeft = useEditSecondsLeft(post);
  const isKnown = session.is !== 'authorizing';
  const isOwn = session.is === 'authorized' && session.user.id === post.owner.id;

  const want = (kind: 'edit' | 'delete' | 'report') => () => intend({ kind, postId: post.id });
  return (
    <Menu id={id} label={label} onClose={onClose}>
      {isOwn && secondsLeft > 0 && <MenuItem onChoose={want('edit')}>Изменить · {countdown(secondsLeft)}</MenuItem>}
      {isOwn && <MenuItem onChoose={want('delete')}>Удалить</MenuItem>}
      {isKnown && !isOwn && <MenuItem onChoose={want('report')}>Пожаловаться</MenuItem>}
      {isKnown && !isOwn && <MenuItem onChoose={toggle}>{isMuted ? 'Показывать автора' : 'Скрыть автора'}</MenuItem>}
      <MenuItem onChoose={() => void copyLink(post.id)}>Скопировать ссылку</MenuItem>
    </Menu>
  );
}

async function copyLink(id: string): Promise<void> {
  const path = `/posts/${id}`;
  if (await copyText(location.origin + path)) showToast('Ссылка скопирована');
  else showToast('Не удалось скопировать. Ссылка — в адресной строке записи.', { href: path, text: 'Открыть' });
}
