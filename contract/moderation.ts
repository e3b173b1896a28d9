import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './moderation.schema.ts';

export type ReportedPost = Static<typeof schema.reportedPost>;
export type ModeratedPerson = Static<typeof schema.moderatedPerson>;
export type JournalEntry = Static<typeof schema.journalEntry>;
export type Branch = Static<typeof schema.branch>;
export type ModeratedPending = Static<typeof schema.moderatedPending>;
export type LastHour = Static<typeof schema.listPending.reply>['last_hour'];
export type Invite = Static<typeof schema.invite>;

export const listReported = endpoint<typeof schema.listReported>({
  method: 'GET',
  path: '/moderation/reports',
  access: 'moderator',
});

export const countReports = endpoint<typeof schema.countReports>({
  method: 'GET',
  path: '/moderation/reports/count',
  access: 'moderator',
});

/** The posts of newcomers that wait. `removePost` removes one of them. */
export const listPending = endpoint<typeof schema.listPending>({
  method: 'GET',
  path: '/moderation/waiting',
  access: 'moderator',
});

export const approvePost = endpoint<typeof schema.approvePost>({
  method: 'POST',
  path: '/moderation/posts/{id}/approval',
  access: 'moderator',
});

/** Against a raid. Each person is an act of its own. */
export const blockWaiting = endpoint<typeof schema.blockWaiting>({
  method: 'POST',
  path: '/moderation/waiting/blocks',
  access: 'moderator',
  codes: ['CONFIRMATION_REQUIRED'],
});

/* @__NO_SIDE_EFFECTS__ */
const actOnPost = (path: string, method: 'POST' | 'PUT' | 'DELETE' = 'POST') =>
  endpoint<typeof schema.removePost>({
    method,
    path: `/moderation/posts/{id}/${path}`,
    access: 'moderator',
  });

export const removePost = actOnPost('removal');
export const returnPost = actOnPost('restoration');
export const dismissReports = actOnPost('dismissal');
/** These act on the whole discussion to which the post belongs. */
export const lockDiscussion = actOnPost('lock', 'PUT');
export const unlockDiscussion = actOnPost('lock', 'DELETE');

export const paceDiscussion = endpoint<typeof schema.paceDiscussion>({
  method: 'PUT',
  path: '/moderation/posts/{id}/pace',
  access: 'moderator',
});

export const listPeople = endpoint<typeof schema.listPeople>({
  method: 'GET',
  path: '/moderation/people',
  access: 'moderator',
});

export const getPerson = endpoint<typeof schema.getPerson>({
  method: 'GET',
  path: '/moderation/people/{username}',
  access: 'moderator',
});

export const blockPerson = endpoint<typeof schema.blockPerson>({
  method: 'POST',
  path: '/moderation/people/{username}/block',
  access: 'moderator',
  codes: ['CONFIRMATION_REQUIRED'],
});

export const unblockPerson = endpoint<typeof schema.unblockPerson>({
  method: 'POST',
  path: '/moderation/people/{username}/unblock',
  access: 'moderator',
  codes: ['CONFIRMATION_REQUIRED'],
});

/** Who came by the person's invitations, and by theirs. */
export const getBranch = endpoint<typeof schema.getBranch>({
  method: 'GET',
  path: '/moderation/people/{username}/branch',
  access: 'moderator',
});

export const endInviting = endpoint<typeof schema.endInviting>({
  method: 'DELETE',
  path: '/moderation/people/{username}/inviting',
  access: 'moderator',
});

export const allowInviting = endpoint<typeof schema.allowInviting>({
  method: 'PUT',
  path: '/moderation/people/{username}/inviting',
  access: 'moderator',
});

export const blockBranch = endpoint<typeof schema.blockBranch>({
  method: 'POST',
  path: '/moderation/people/{username}/branch/block',
  access: 'moderator',
  codes: ['CONFIRMATION_REQUIRED'],
});

export const warnPerson = endpoint<typeof schema.warnPerson>({
  method: 'POST',
  path: '/moderation/people/{username}/warning',
  access: 'moderator',
});

export const startModeration = endpoint<typeof schema.startModeration>({
  method: 'POST',
  path: '/moderation/confirmation',
  access: 'moderator',
  status: 201,
});

export const verifyModeration = endpoint<typeof schema.verifyModeration>({
  method: 'POST',
  path: '/moderation/confirmation/{id}/verify',
  access: 'moderator',
  codes: ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'],
});

export const getModeration = endpoint<typeof schema.getModeration>({
  method: 'GET',
  path: '/moderation/confirmation',
  access: 'moderator',
});

export const listInvites = endpoint<typeof schema.listInvites>({
  method: 'GET',
  path: '/moderation/invites',
  access: 'moderator',
});

export const makeInvites = endpoint<typeof schema.makeInvites>({
  method: 'POST',
  path: '/moderation/invites',
  access: 'moderator',
  status: 201,
});

/** Takes the free seats of an invitation; for owners and for the moderator who has made it. */
export const endInvite = endpoint<typeof schema.endInvite>({
  method: 'DELETE',
  path: '/moderation/invites/{id}',
  access: 'moderator',
});

export const listJournal = endpoint<typeof schema.listJournal>({
  method: 'GET',
  path: '/moderation/journal',
  access: 'moderator',
});

export const undoAct = endpoint<typeof schema.undoAct>({
  method: 'POST',
  path: '/moderation/journal/{id}/undo',
  access: 'moderator',
  codes: ['CONFIRMATION_REQUIRED'],
});

export const getPin = endpoint<typeof schema.getPin>({
  method: 'GET',
  path: '/moderation/pin',
  access: 'moderator',
});

export const pinPost = endpoint<typeof schema.pinPost>({
  method: 'PUT',
  path: '/moderation/pin',
  access: 'moderator',
});

export const unpinPost = endpoint<typeof schema.unpinPost>({
  method: 'DELETE',
  path: '/moderation/pin',
  access: 'moderator',
});

export const appointPerson = endpoint<typeof schema.appointPerson>({
  method: 'POST',
  path: '/moderation/people/{username}/appointment',
  access: 'owner',
  codes: ['CONFIRMATION_REQUIRED'],
});

export const dismissPerson = endpoint<typeof schema.dismissPerson>({
  method: 'POST',
  path: '/moderation/people/{username}/dismissal',
  access: 'owner',
  codes: ['CONFIRMATION_REQUIRED'],
});
