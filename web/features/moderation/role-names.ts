/** These names are not in `desk-frame.tsx` because the page of the owner would then load the styles of that file. */
export const roleNames = { moderator: 'модератор', owner: 'владелец' } as const;
