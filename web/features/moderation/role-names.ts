/** In a file of its own: with the frame of the desk its styles would go to the part of another page. */
export const roleNames = { moderator: 'модератор', owner: 'владелец' } as const;
