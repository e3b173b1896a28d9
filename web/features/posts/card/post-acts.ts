import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import type { MenuIconName } from '../../../ui/menu-icon.tsx';

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
  /** What it is about: the post, its author, or the order on the wall. */
  group: 'post' | 'author' | 'order';
  icon: MenuIconName;
  isFor?: (it: ActingOn) => boolean;
} & (
  | { kind: 'page'; words: string; href: (it: ActingOn) => string; opens?: 'screen'; destroys?: true }
  /** Something that one may choose and take back. */
  | { kind: 'choice'; choice: 'bookmark' | 'follow' | 'author' | 'mute'; words: readonly [to: string, back: string] }
  /** Copying and sharing need scripts, so only the menu of a card has these acts. */
  | { kind: 'copy'; words: string }
  | { kind: 'share'; words: string }
);

const isOwn = ({ post, me }: ActingOn): boolean => me?.id === post.owner.id;
const isOther = (it: ActingOn): boolean => !isOwn(it);
const isOwnRoot = (it: ActingOn): boolean => isOwn(it) && it.post.actions.replied_post_id === null;
const isKeeper = ({ me }: ActingOn): boolean => me?.role !== undefined;
const isClosedByAuthor = (it: ActingOn): boolean => isOwnRoot(it) && it.post.actions.closed_by === 'author';

const keeperAct =
  (name: string) =>
  ({ post }: ActingOn): string =>
    addresses.keeperAct.href({ name }, { of: post.id });

const toPage =
  ({ href }: { href: (post: Post) => string }) =>
  ({ post }: ActingOn): string =>
    href(post);

/** The form of an author, whose call is not that of keepers. */
const closure = toPage(addresses.postClosure);

/** What one can do to a post, in the order of its menu. */
const postActs: readonly PostAct[] = [
  {
    group: 'post',
    kind: 'page',
    icon: 'pencil',
    words: 'Изменить',
    href: toPage(addresses.postEdit),
    isFor: (it) => isOwn(it) && it.mayEdit,
  },
  { group: 'post', kind: 'share', icon: 'share', words: 'Поделиться' },
  { group: 'post', kind: 'copy', icon: 'link', words: 'Скопировать ссылку' },
  {
    group: 'post',
    kind: 'choice',
    icon: 'bookmark',
    choice: 'bookmark',
    words: ['Сохранить', 'Убрать из сохранённого'],
  },
  { group: 'post', kind: 'choice', icon: 'bell', choice: 'follow', words: ['Следить за обсуждением', 'Не следить'] },
  {
    group: 'post',
    kind: 'page',
    icon: 'globe',
    words: 'Видна всем…',
    href: toPage(addresses.postSharing),
    isFor: (it) => isOwn(it) && it.isWallClosed,
  },
  {
    group: 'author',
    kind: 'choice',
    icon: 'person',
    choice: 'author',
    words: ['Следить за автором', 'Не следить за автором'],
    isFor: isOther,
  },
  {
    group: 'author',
    kind: 'choice',
    icon: 'hidden',
    choice: 'mute',
    words: ['Не показывать автора', 'Показывать автора'],
    isFor: isOther,
  },
  {
    group: 'order',
    kind: 'page',
    icon: 'lock',
    words: 'Запретить новые ответы…',
    href: (it) => (isOwnRoot(it) ? closure : keeperAct('lock'))(it),
    isFor: (it) => (isKeeper(it) || isOwnRoot(it)) && !it.isClosed,
  },
  {
    group: 'order',
    kind: 'page',
    icon: 'unlock',
    words: 'Разрешить новые ответы…',
    href: (it) => (isClosedByAuthor(it) ? closure : keeperAct('unlock'))(it),
    isFor: (it) => (isKeeper(it) && it.isClosed) || isClosedByAuthor(it),
  },
  {
    group: 'order',
    kind: 'page',
    icon: 'clock',
    words: 'Медленный режим…',
    href: keeperAct('pace'),
    isFor: (it) => isKeeper(it) && !it.isClosed,
  },
  {
    group: 'order',
    kind: 'page',
    icon: 'pin',
    words: 'Закрепить',
    opens: 'screen',
    href: ({ post }) => addresses.moderationPin.href({}, { q: post.id }),
    isFor: (it) => isKeeper(it) && it.post.actions.replied_post_id === null,
  },
  {
    group: 'order',
    kind: 'page',
    icon: 'flag',
    words: 'Пожаловаться',
    href: toPage(addresses.postReport),
    isFor: isOther,
  },
  {
    group: 'order',
    kind: 'page',
    icon: 'bin',
    words: 'Убрать со стены…',
    destroys: true,
    href: keeperAct('remove'),
    isFor: (it) => isKeeper(it) && isOther(it),
  },
  {
    group: 'order',
    kind: 'page',
    icon: 'bin',
    words: 'Удалить',
    destroys: true,
    href: toPage(addresses.postDeletion),
    isFor: isOwn,
  },
];

export const actsOn = (it: ActingOn): readonly PostAct[] => postActs.filter(({ isFor }) => isFor?.(it) ?? true);

/** Whether a line separates an act from the act before it. */
export const beginsGroup = (acts: readonly PostAct[], index: number): boolean =>
  index > 0 && acts[index]!.group !== acts[index - 1]!.group;
