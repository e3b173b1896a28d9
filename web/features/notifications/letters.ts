import type { NotificationSettings } from '#contract/notifications.ts';

export const letters: ReadonlyArray<{ id: NotificationSettings['digest']; name: string }> = [
  { id: 'off', name: 'Не присылать' },
  { id: 'daily', name: 'Раз в день' },
  { id: 'weekly', name: 'Раз в неделю' },
];
