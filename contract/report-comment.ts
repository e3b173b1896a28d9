import { normalizePostText, type PostText } from './text.ts';

/** The reason for a report that needs words of one's own. */
export const otherReason = 'other';

/** The reporter's words as they are stored; null for the other reasons. */
export function normalizeComment(reasonId: string, typed: string | undefined): PostText | { ok: true; text: null } {
  if (reasonId !== otherReason) {
    return typed === undefined
      ? { ok: true, text: null }
      : { ok: false, reason: 'Пояснение пишут только к причине «Другое».' };
  }
  return typed === undefined || typed.trim() === ''
    ? { ok: false, reason: 'Напишите, что не так.' }
    : normalizePostText(typed);
}
