import type { NotificationKind } from '#contract/notifications.ts';
import { plural } from '../../lib/plural.ts';

/** '3 новых ответа', or '5 ответов' if none of them is new. */
export const repliesText = (count: number, fresh: number): string =>
  fresh > 0
    ? plural(fresh, ['новый ответ', 'новых ответа', 'новых ответов'])
    : plural(count, ['ответ', 'ответа', 'ответов']);

/** Why the person is notified of the replies of a discussion. A reply to them needs no words: it is beside the post it replies to. */
export function groupText(kinds: readonly NotificationKind[], isOwnDiscussion: boolean): string | undefined {
  if (isOwnDiscussion) return 'в вашем обсуждении';
  return kinds.includes('followed') ? 'вы следите за обсуждением' : undefined;
}
