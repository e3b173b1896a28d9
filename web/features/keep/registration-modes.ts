export const registrationModes = [
  { id: 'open', name: 'Каждый, у кого есть почта' },
  { id: 'invite', name: 'Только по приглашениям' },
] as const;
