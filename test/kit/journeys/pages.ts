interface PlainPaths {
  /** A post of the person, who is an owner. */
  own: number;
  /** A post of somebody else, whose name is `name`. */
  other: number;
  name: string;
}

/** The lists of posts that are made for one person. */
const listPaths = ['/following', '/liked', '/own/posts', '/own/replies', '/own/saved', '/notifications'];

/** The pages that are made for one person and hydrated. */
export const personalPaths = ({ own, other, name }: PlainPaths): string[] => [
  '/new',
  `/posts/${other}/reply`,
  `/posts/${other}/actions`,
  `/posts/${own}/actions`,
  `/posts/${own}/edit`,
  `/posts/${own}/deletion`,
  `/posts/${other}/report`,
  ...listPaths,
  '/own/deleted',
  '/settings',
  '/settings/account/profile',
  '/settings/account/username',
  '/settings/account/email',
  '/settings/account/deletion',
  '/settings/devices',
  '/settings/notifications',
  '/settings/muted',
  '/settings/invitations',
  '/settings/programs',
  '/settings/data',
  '/keep',
  '/keep?part=about',
  '/keep?part=people',
  '/keep?part=order',
  '/keep?text=consent',
  '/moderation',
  '/moderation?state=settled',
  '/moderation/waiting',
  '/moderation/people',
  `/moderation/people/${name}`,
  '/moderation/invites',
  '/moderation/journal',
  '/moderation/pin',
  `/moderation/pin?q=${other}`,
  `/moderation/acts/remove?of=${other}`,
];
