import { addresses } from '#contract/addresses.ts';
import type { Action } from '../session/actions.ts';

const purposes: Partial<Record<Action['kind'], string>> = {
  like: 'поставить «Нравится»',
  follow: 'следить за обсуждением',
  mute: 'не показывать автора',
  'new-post': 'опубликовать запись',
  reply: 'ответить',
  report: 'пожаловаться',
};

const ownPages: Record<string, string> = {
  [addresses.liked.href()]: 'увидеть понравившиеся записи',
  [addresses.ownPosts.href()]: 'увидеть свои записи',
  [addresses.ownReplies.href()]: 'увидеть свои ответы',
  [addresses.notifications.href()]: 'увидеть уведомления',
};

/** The purpose of a sign-in, as a sentence. `path` is the page that opens afterwards. */
export function purposeOf(action: (Action & { path: string }) | null): string | undefined {
  const purpose = action && (purposes[action.kind] ?? ownPages[action.path]);
  return purpose ? `Чтобы ${purpose}, войдите.` : undefined;
}
