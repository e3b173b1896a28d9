import type { Static } from 'typebox';
import { endpoint, verifyCodes } from './endpoint.ts';
import type * as schema from './moderation.schema.ts';
import type * as people from './moderation-people.schema.ts';

export type ReportedPost = Static<typeof schema.reportedPost>;
export type ModeratedPerson = Static<typeof people.moderatedPerson>;
export type JournalEntry = Static<typeof schema.journalEntry>;
export type Branch = Static<typeof people.branch>;
export type ModeratedPending = Static<typeof schema.moderatedPending>;
export type LastHour = Static<typeof schema.listPending.reply>['last_hour'];
export type Invite = Static<typeof schema.invite>;

export const listReported = endpoint<typeof schema.listReported>('GET /moderation/reports', 'moderator');
export const countReports = endpoint<typeof schema.countReports>('GET /moderation/reports/count', 'moderator');

/** The posts of newcomers that wait. `removePost` removes one of them. */
export const listPending = endpoint<typeof schema.listPending>('GET /moderation/waiting', 'moderator');
export const approvePost = endpoint<typeof schema.approvePost>('POST /moderation/posts/{id}/approval', 'moderator');

/** Against a raid. Each person is an act of its own. */
export const blockWaiting = endpoint<typeof schema.blockWaiting>('POST /moderation/waiting/blocks', 'moderator', {
  codes: ['CONFIRMATION_REQUIRED'],
});

export const removePost = endpoint<typeof schema.removePost>('POST /moderation/posts/{id}/removal', 'moderator');
export const returnPost = endpoint<typeof schema.returnPost>('POST /moderation/posts/{id}/restoration', 'moderator');
export const dismissReports = endpoint<typeof schema.dismissReports>(
  'POST /moderation/posts/{id}/dismissal',
  'moderator',
);

/** These act on the whole discussion to which the post belongs. */
export const lockDiscussion = endpoint<typeof schema.lockDiscussion>('PUT /moderation/posts/{id}/lock', 'moderator');
export const unlockDiscussion = endpoint<typeof schema.unlockDiscussion>(
  'DELETE /moderation/posts/{id}/lock',
  'moderator',
);
export const paceDiscussion = endpoint<typeof schema.paceDiscussion>('PUT /moderation/posts/{id}/pace', 'moderator');
export const listPeople = endpoint<typeof people.listPeople>('GET /moderation/people', 'moderator');
export const getPerson = endpoint<typeof people.getPerson>('GET /moderation/people/{username}', 'moderator');

export const blockPerson = endpoint<typeof people.blockPerson>(
  'POST /moderation/people/{username}/block',
  'moderator',
  { codes: ['CONFIRMATION_REQUIRED'] },
);

export const unblockPerson = endpoint<typeof people.unblockPerson>(
  'POST /moderation/people/{username}/unblock',
  'moderator',
  { codes: ['CONFIRMATION_REQUIRED'] },
);

/** The people who came by the person's invitations, and by theirs. */
export const getBranch = endpoint<typeof people.getBranch>('GET /moderation/people/{username}/branch', 'moderator');

export const endInviting = endpoint<typeof people.endInviting>(
  'DELETE /moderation/people/{username}/inviting',
  'moderator',
);

export const allowInviting = endpoint<typeof people.allowInviting>(
  'PUT /moderation/people/{username}/inviting',
  'moderator',
);

export const blockBranch = endpoint<typeof people.blockBranch>(
  'POST /moderation/people/{username}/branch/block',
  'moderator',
  { codes: ['CONFIRMATION_REQUIRED'] },
);

export const warnPerson = endpoint<typeof people.warnPerson>('POST /moderation/people/{username}/warning', 'moderator');

export const startModeration = endpoint<typeof schema.startModeration>('POST /moderation/confirmation', 'moderator', {
  status: 201,
});

export const verifyModeration = endpoint<typeof schema.verifyModeration>(
  'POST /moderation/confirmation/{id}/verify',
  'moderator',
  { codes: verifyCodes },
);

export const getModeration = endpoint<typeof schema.getModeration>('GET /moderation/confirmation', 'moderator');
export const listInvites = endpoint<typeof schema.listInvites>('GET /moderation/invites', 'moderator');

export const makeInvites = endpoint<typeof schema.makeInvites>('POST /moderation/invites', 'moderator', {
  status: 201,
});

/** Takes the free seats of an invitation; for owners and for the moderator who has made it. */
export const endInvite = endpoint<typeof schema.endInvite>('DELETE /moderation/invites/{id}', 'moderator');
export const listJournal = endpoint<typeof schema.listJournal>('GET /moderation/journal', 'moderator');

export const undoAct = endpoint<typeof schema.undoAct>('POST /moderation/journal/{id}/undo', 'moderator', {
  codes: ['CONFIRMATION_REQUIRED'],
});

export const getPin = endpoint<typeof schema.getPin>('GET /moderation/pin', 'moderator');
export const pinPost = endpoint<typeof schema.pinPost>('PUT /moderation/pin', 'moderator');
export const unpinPost = endpoint<typeof schema.unpinPost>('DELETE /moderation/pin', 'moderator');

export const appointPerson = endpoint<typeof people.appointPerson>(
  'POST /moderation/people/{username}/appointment',
  'owner',
  { codes: ['CONFIRMATION_REQUIRED'] },
);

export const dismissPerson = endpoint<typeof people.dismissPerson>(
  'POST /moderation/people/{username}/dismissal',
  'owner',
  { codes: ['CONFIRMATION_REQUIRED'] },
);
