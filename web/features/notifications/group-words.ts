import type { NotificationKind } from '#contract/notifications.ts';
import { plural } from '../../lib/plural.ts';

/** '3 новых ответа', or '5 ответов' if none of them is new. */
export const answersText = (count: number, fresh: number): string =>
  fresh > 0
    ? plural(fresh, ['новый ответ', 'новых ответа', 'новых ответов'])
    : plural(count, ['ответ', 'ответа', 'ответов']);

/** Why the person is told of the answers of a discussion. An answer to them needs no words: it is beside what it answers. */
export function groupText(kinds: readonly NotificationKind[], isOwnDiscussion: boolean): string | undefined {
  if (isOwnDiscussion) return 'в вашем обсуждении';
  return kinds.includes('followed') ? 'вы следите за обсуждением' : undefined;
}
