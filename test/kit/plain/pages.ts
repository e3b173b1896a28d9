/** Every plain page with forms, for a moderator with a post of their own and one of another person. */
export const plainPaths = ({ own, other }: { own: number; other: number }): string[] => [
  '/new',
  `/posts/${other}/reply`,
  `/posts/${other}/actions`,
  `/posts/${own}/actions`,
  '/own/posts',
  '/own/replies',
  '/notifications',
  '/settings',
  '/settings/account/username',
  '/settings/account/email',
  '/settings/account/deletion',
  '/settings/devices',
  '/settings/notifications',
  '/settings/muted',
  '/settings/programs',
  '/moderation?state=all',
];
