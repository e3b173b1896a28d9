import { addresses } from '#contract/addresses.ts';
import { acts } from '#contract/moderation-acts.ts';
import { paceText } from '#contract/pace.ts';
import type { JournalEntry } from '#contract/moderation.ts';

const modes: Record<string, string> = { open: 'для всех', invite: 'по приглашениям' };

const settingNames: Record<string, string> = {
  name: 'имя',
  line: 'строка о стене',
  contact: 'куда писать',
  gate_posts: 'проверка первых записей',
  gate_hours: 'часов до появления без проверки',
  'about.md': 'о стене',
  'rules.md': 'правила',
  'privacy.md': 'конфиденциальность',
  'consent.md': 'согласие',
};

/** Describes an act in Russian. An act that this version does not know keeps the name of its command. */
export const actionName = ({ action }: Pick<JournalEntry, 'action'>): string => acts[action]?.journal ?? action;

/** The post or the person. */
export function targetOf({ action, target, post }: JournalEntry): { text: string; href?: string } | null {
  if (target === null) return null;
  if (action === 'registration') return { text: modes[target] ?? target };
  if (acts[action]?.target === 'wall') return { text: settingNames[target] ?? target };
  if (acts[action]?.target === 'post') {
    const isOnWall = post !== null && !post.is_removed;
    return { text: `№ ${target}`, ...(isOnWall && { href: addresses.post.href({ id: target }) }) };
  }
  return { text: target, href: addresses.moderationPerson.href({ username: target }) };
}

/** How many posts or codes it was about, or the pace of a discussion. */
export function detailsOf({ details }: Pick<JournalEntry, 'details'>): string {
  const numbers = (details ?? {}) as Record<string, unknown>;
  const count = numbers['count'];
  const posts = numbers['posts'];
  const after = numbers['after'];
  const seconds = numbers['seconds'];
  return [
    typeof after === 'string' && `«${after}»`,
    typeof seconds === 'number' && (seconds === 0 ? 'выключен' : paceText(seconds)),
    typeof count === 'number' && `кодов: ${count}`,
    Array.isArray(posts) && `записей: ${posts.length}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
