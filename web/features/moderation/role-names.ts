export const roleNames = { moderator: 'модератор', owner: 'владелец' } as const;
