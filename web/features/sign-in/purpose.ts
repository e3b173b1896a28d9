import { addresses } from '#contract/addresses.ts';
import { localPath } from '../../forms/page-module.ts';

/** The purpose of a sign-in, by the kind of the action that needs it. */
export const purposes: Record<string, string> = {
  like: 'поставить «Нравится»',
  follow: 'следить за обсуждением',
  bookmark: 'сохранить запись',
  author: 'следить за автором',
  mute: 'не показывать автора',
};

const ofPages = [
  [addresses.newPost, 'опубликовать запись'],
  [addresses.postReply, 'ответить'],
  [addresses.postReport, 'пожаловаться'],
  [addresses.liked, 'увидеть понравившиеся записи'],
  [addresses.ownPosts, 'увидеть свои записи'],
  [addresses.ownReplies, 'увидеть свои ответы'],
  [addresses.notifications, 'увидеть уведомления'],
] as const;

/** A sentence that says the purpose of the sign-in: the action `for` in the query, or else the layer or page that opens afterwards. */
export function purposeOf(query: URLSearchParams): string | undefined {
  const [path = '', search] = localPath(query.get('next')).split('?');
  const layer = new URLSearchParams(search).get('layer');
  const wanted = layer === null ? path : localPath(layer).split('?')[0]!;
  const purpose = purposes[query.get('for') ?? ''] ?? ofPages.find(([page]) => page.match(wanted))?.[1];
  return purpose && `Чтобы ${purpose}, войдите.`;
}
