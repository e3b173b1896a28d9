import { addresses } from '#contract/addresses.ts';
import { actionsOnPosts } from '#contract/moderation-acts.ts';
import type { JournalEntry } from '#contract/moderation.ts';

const names: Record<string, string> = {
  'remove-posts': 'Записи убраны',
  'restore-posts': 'Записи возвращены',
  remove: 'Запись скрыта',
  restore: 'Запись возвращена',
  dismiss: 'Жалобы закрыты',
  reopen: 'Жалобы снова открыты',
  block: 'Блокировка',
  unblock: 'Блокировка снята',
  invite: 'Выданы приглашения',
  registration: 'Регистрация',
  pin: 'Запись закреплена',
  unpin: 'Запись откреплена',
  appoint: 'Назначен модератор',
  'dismiss-moderator': 'Снят модератор',
  'change-email': 'Смена адреса почты',
  'delete-account': 'Учётная запись удалена',
};

const modes: Record<string, string> = { open: 'для всех', invite: 'по приглашениям' };

/** What was done, in Russian. An act that this version does not know keeps the name of its command. */
export const actionName = ({ action }: Pick<JournalEntry, 'action'>): string => names[action] ?? action;

/** The post or the person. */
export function targetOf({ action, target, post }: JournalEntry): { text: string; href?: string } | null {
  if (target === null) return null;
  if (action === 'registration') return { text: modes[target] ?? target };
  if (actionsOnPosts.has(action)) {
    const isOnWall = post !== null && !post.is_removed;
    return { text: `№ ${target}`, ...(isOnWall && { href: addresses.post.href({ id: target }) }) };
  }
  return { text: target, href: addresses.moderationPerson.href({ username: target }) };
}

/** How many posts or codes it was about. */
export function detailsOf({ details }: Pick<JournalEntry, 'details'>): string {
  const numbers = (details ?? {}) as Record<string, unknown>;
  const count = numbers['count'];
  const posts = numbers['posts'];
  return [typeof count === 'number' && `кодов: ${count}`, Array.isArray(posts) && `записей: ${posts.length}`]
    .filter(Boolean)
    .join(' · ');
}
