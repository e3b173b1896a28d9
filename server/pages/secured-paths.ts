/** Pages for signed-in people: what they show is nobody else's. */
export const securedPaths = [
  '/liked',
  '/own/posts',
  '/own/replies',
  '/answers',
  '/settings',
  '/settings/account/email',
  '/settings/account/username',
  '/settings/account/deletion',
  '/settings/devices',
  '/settings/muted',
];
