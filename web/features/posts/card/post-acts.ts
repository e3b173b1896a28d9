import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';

/** What the acts on a post depend on. */
export interface ActingOn {
  post: Post;
  /** Null until it is known, and for visitors. */
  me: { id: string; role?: unknown } | null;
  mayEdit: boolean;
  /** Only members read the wall. */
  isWallClosed: boolean;
  /** The discussion takes no more replies. */
  isClosed: boolean;
}

export type PostAct = {
  isFor?: (it: ActingOn) => boolean;
} & (
  | { kind: 'page'; words: string; href: (post: Post) => string; opens?: 'screen' }
  /** Something that one may choose and take back. */
  | { kind: 'choice'; choice: 'bookmark' | 'follow' | 'author' | 'mute'; words: readonly [to: string, back: string] }
  /** Only scripts can do it. */
  | { kind: 'copy'; words: string }
  | { kind: 'share'; words: string }
);

const isOwn = ({ post, me }: ActingOn): boolean => me?.id === post.owner.id;
const isOther = (it: ActingOn): boolean => !isOwn(it);
const isOwnRoot = (it: ActingOn): boolean => isOwn(it) && it.post.actions.replied_post_id === null;
const isKeeper = ({ me }: ActingOn): boolean => me?.role !== undefined;

const keeperAct =
  (name: string) =>
  ({ id }: Post): string =>
    addresses.keeperAct.href({ name }, { of: id });

/** What one can do to a post, in the order of its menu. */
const postActs: readonly PostAct[] = [
  { kind: 'page', words: 'Изменить', href: addresses.postEdit.href, isFor: (it) => isOwn(it) && it.mayEdit },
  { kind: 'page', words: 'Удалить', href: addresses.postDeletion.href, isFor: isOwn },
  {
    kind: 'page',
    words: 'Видна всем…',
    href: addresses.postSharing.href,
    isFor: (it) => isOwn(it) && it.isWallClosed,
  },
  {
    kind: 'page',
    words: 'Закрыть ответы…',
    href: addresses.postClosure.href,
    isFor: (it) => isOwnRoot(it) && !it.isClosed,
  },
  {
    kind: 'page',
    words: 'Открыть ответы…',
    href: addresses.postClosure.href,
    isFor: (it) => isOwnRoot(it) && it.post.actions.closed_by === 'author',
  },
  { kind: 'share', words: 'Поделиться' },
  { kind: 'copy', words: 'Скопировать ссылку' },
  { kind: 'choice', choice: 'bookmark', words: ['Сохранить', 'Убрать из сохранённого'] },
  { kind: 'choice', choice: 'follow', words: ['Следить за обсуждением', 'Не следить'] },
  { kind: 'choice', choice: 'author', words: ['Следить за автором', 'Не следить за автором'], isFor: isOther },
  { kind: 'choice', choice: 'mute', words: ['Не показывать автора', 'Показывать автора'], isFor: isOther },
  { kind: 'page', words: 'Пожаловаться', href: addresses.postReport.href, isFor: isOther },
  { kind: 'page', href: keeperAct('remove'), words: 'Убрать со стены…', isFor: (it) => isKeeper(it) && isOther(it) },
  { kind: 'page', href: keeperAct('unlock'), words: 'Открыть обсуждение…', isFor: (it) => isKeeper(it) && it.isClosed },
  { kind: 'page', href: keeperAct('lock'), words: 'Закрыть обсуждение…', isFor: (it) => isKeeper(it) && !it.isClosed },
  { kind: 'page', href: keeperAct('pace'), words: 'Медленный режим…', isFor: (it) => isKeeper(it) && !it.isClosed },
  {
    kind: 'page',
    words: 'Закрепить',
    opens: 'screen',
    href: ({ id }) => addresses.moderationPin.href({}, { q: id }),
    isFor: (it) => isKeeper(it) && it.post.actions.replied_post_id === null,
  },
];

export const actsOn = (it: ActingOn): readonly PostAct[] => postActs.filter(({ isFor }) => isFor?.(it) ?? true);
