export const registrationModes = [
  { id: 'open', name: 'Каждый, у кого есть почта' },
  { id: 'invite', name: 'Только по приглашениям' },
] as const;

export const readers = [
  { id: 'everyone', name: 'Все' },
  { id: 'members', name: 'Участники: без входа видны только вход и тексты о стене' },
] as const;
