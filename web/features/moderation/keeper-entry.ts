import { addresses } from '#contract/addresses.ts';
import { isAboutPost, keeperActs } from '#contract/keeper-acts.ts';
import { paceText, wallPaceText } from '#contract/reply-rules.ts';
import { exactTime } from '../../lib/time.ts';
import type { JournalEntry } from '#contract/moderation.ts';

const modes: Record<string, string> = {
  open: 'для всех',
  members: 'по приглашениям участников',
  invite: 'по приглашениям тех, кто ведёт стену',
  closed: 'закрыта',
};

const readers: Record<string, string> = { everyone: 'все', members: 'участники' };

const settingNames: Record<string, string> = {
  name: 'имя',
  line: 'строка о стене',
  mark: 'значок',
  contact: 'куда писать',
  readers: 'кто читает',
  invite_days: 'приглашают, дней на стене',
  invite_posts: 'приглашают, записей',
  invite_links: 'приглашают, ссылок в месяц',
  pace: 'медленный режим',
  report_letters: 'письма о жалобах',
  letter_texts: 'записи в письмах закрытой стены',
  carry_others: 'чужие записи в файлах участников',
  carry_letters: 'стена файлом в письме',
  gate_posts: 'проверка первых записей',
  gate_hours: 'часов до появления без проверки',
  'about.md': 'о стене',
  'rules.md': 'правила',
  'privacy.md': 'конфиденциальность',
  'consent.md': 'согласие',
};

/** Describes an act in Russian. An act that this version does not know keeps the name of its command. */
export const actionName = ({ action }: Pick<JournalEntry, 'action'>): string => keeperActs[action]?.journal ?? action;

/** The words for what an act changed: a post, a person, a setting or the way to register. */
export function targetOf({ action, target, post }: JournalEntry): { text: string; href?: string } | null {
  if (target === null) return null;
  if (action === 'registration') return { text: modes[target] ?? target };
  if (keeperActs[action]?.target === 'wall') return { text: settingNames[target] ?? target };
  if (isAboutPost(action)) {
    const isOnWall = post !== null && !post.is_removed;
    return { text: `№ ${target}`, ...(isOnWall && { href: addresses.post.href({ id: target }) }) };
  }
  return { text: target, href: addresses.moderationPerson.href({ username: target }) };
}

/** The details of an act: a new value, a pace, an end, a former name, or numbers of codes and posts. `isLocal`: the reader's time zone is known. */
export function detailsOf({ details, target }: Pick<JournalEntry, 'details' | 'target'>, isLocal: boolean): string {
  const { count, posts, after, seconds, until, from } = (details ?? {}) as Record<string, unknown>;
  return [
    typeof after === 'string' &&
      (target === 'pace' ? wallPaceText(Number(after)) : `«${(target === 'readers' && readers[after]) || after}»`),
    typeof seconds === 'number' && (seconds === 0 ? 'выключен' : paceText(seconds)),
    isLocal && typeof until === 'number' && `до ${exactTime(until)}`,
    typeof from === 'string' && `прежнее имя: ${from}`,
    typeof count === 'number' && `кодов: ${count}`,
    Array.isArray(posts) && `записей: ${posts.length}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
