import type { NotificationKind } from '#contract/notifications.ts';
import { plural } from '../../lib/plural.ts';

/** '3 новых ответа', or '5 ответов' if none of them is new. */
export const answersText = (count: number, fresh: number): string =>
  fresh > 0
    ? plural(fresh, ['новый ответ', 'новых ответа', 'новых ответов'])
    : plural(count, ['ответ', 'ответа', 'ответов']);

/** Why the person is told. An answer needs no words: the post that it answers is beside it. */
export function kindText(kind: NotificationKind, isOwnDiscussion: boolean): string | undefined {
  if (kind === 'mention') return 'упоминает вас';
  if (kind === 'answer') return undefined;
  return isOwnDiscussion ? 'в вашем обсуждении' : 'в обсуждении, за которым вы следите';
}
