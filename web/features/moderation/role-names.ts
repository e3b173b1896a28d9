/** The names of the roles, on the pages of the desk and of owners. */
export const roleNames = { moderator: 'модератор', owner: 'владелец' } as const;
