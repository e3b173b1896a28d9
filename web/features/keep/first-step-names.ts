import { addresses } from '#contract/addresses.ts';
import type { Keep } from '#contract/keep.ts';

/** The first steps of a new wall, and where each is done. */
export const firstSteps: ReadonlyArray<{ step: keyof Keep['first_steps']; name: string; href: string }> = [
  { step: 'about', name: 'Назвать стену и сказать о ней одной строкой', href: '#about' },
  { step: 'rules', name: 'Написать правила', href: '#texts' },
  { step: 'mail', name: 'Проверить, доходят ли письма', href: '#mail' },
  { step: 'post', name: 'Опубликовать первую запись', href: addresses.newPost.href() },
  { step: 'invite', name: 'Позвать людей', href: addresses.moderationSection.href({ section: 'invites' }) },
];

export const isFirstHour = (steps: Keep['first_steps']): boolean => Object.values(steps).includes(false);
