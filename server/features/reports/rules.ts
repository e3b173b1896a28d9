import { otherReason } from '#contract/report-comment.ts';

/** The reasons for which a post can be reported. */
export const reasons = [
  { id: 'spam', name: 'Спам' },
  { id: 'abuse', name: 'Оскорбления и травля' },
  { id: 'violence', name: 'Призывы к насилию' },
  { id: 'fraud', name: 'Мошенничество' },
  { id: 'adult', name: 'Материалы 18+' },
  { id: 'personal', name: 'Личные данные' },
  { id: otherReason, name: 'Другое' },
];

export const isReason = (id: string): boolean => reasons.some((reason) => reason.id === id);
