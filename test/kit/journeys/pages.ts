import { keeperActs } from '#contract/keeper-acts.ts';

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
  `/posts/${own}/closure`,
  `/posts/${other}/sharing`,
  `/users/${name}/actions`,
  `/posts/${other}/report`,
  ...listPaths,
  '/people',
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
  '/settings/data-and-programs',
  '/keep',
  '/keep?part=life',
  '/keep?part=life&days=90',
  '/keep?part=about',
  '/keep?part=people',
  '/keep?part=order',
  '/keep?part=mail',
  '/keep?part=health',
  '/keep?step=about',
  '/keep?step=name',
  '/keep?step=rules',
  '/keep?step=post',
  '/keep?step=invite',
  '/keep?text=consent',
  '/keep?text=rules',
  '/moderation',
  '/moderation?state=settled',
  '/moderation/waiting',
  '/moderation/people',
  '/moderation/blocked',
  '/moderation/imported',
  `/moderation/people/${name}`,
  '/moderation/invites',
  '/moderation/journal',
  '/moderation/pin',
  `/moderation/pin?q=${other}`,
  `/moderation/acts/remove?of=${other}`,
];

const table = Object.entries(keeperActs).flatMap(([act, row]) => (row?.form && row.call ? [{ act, row }] : []));
const ofPeople = table.filter(({ row }) => row.target === 'person').map(({ act }) => act);
const ofPosts = table.filter(({ row }) => row.target !== 'person').map(({ act }) => act);
/** Acts whose forms are not made from the table, each with the subject in its address. */
const others = { 'block-waiting': '0-9', undo: '1', 'end-invite': '1' };

/** The paths of all forms of acts at the desk. */
export const actPaths = ({ other, name }: PlainPaths): string[] =>
  [
    ...[...ofPeople, 'appoint-owner', 'block-branch'].map((act) => [act, name]),
    ...[...ofPosts, 'refuse', 'pace'].map((act) => [act, other]),
    ...Object.entries(others),
  ].map(([act, of]) => `/moderation/acts/${act}?of=${of}`);
