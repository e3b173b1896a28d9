export const findingStates: Readonly<Record<string, string>> = {
  good: 'В порядке',
  missing: 'Исправить',
  unknown: 'Неизвестно',
  unchecked: 'Сверьте сами',
};
