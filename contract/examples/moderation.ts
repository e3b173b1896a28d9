import type * as join from '../join.ts';
import type * as moderation from '../moderation.ts';
import type { ExamplesOf } from './example.ts';
import { at, boris, clientToken, confirmCode, galina, operationId, otherPostId, rootPost } from './values.ts';

const post = { id: otherPostId };
const because = { reason: 'Реклама: пункт 3 правил.' };
const byName = { username: boris.username };
const act = { act_id: '71' };
const ownerLink = { code: `${at + 86_400}.sZ0bN8kQm3cXv1tYw6rJ4hPfLg2dKe7uAoIiEyUxR5M` };
const settled = { ...act, settled_reports: 2 };
const ofPerson = { ...act, posts: 0 };

const person = {
  ...boris,
  created_at: at,
  posts_count: 12,
  replies_count: 40,
  role: null,
  blocked: null,
  warning: null,
  removed_posts: 1,
  claim_url: null,
  open_reports: 1,
};

export const moderationExamples: ExamplesOf<typeof moderation & typeof join> = {
  listReported: {
    query: { state: 'open' },
    reply: {
      reports: [
        {
          post_id: otherPostId,
          text: rootPost.text,
          author: { ...boris, is_blocked: false },
          state: 'visible',
          current_text: rootPost.text,
          open: 1,
          reports: [
            { by: galina.username, at: at + 60, reason_id: 'spam', comment: null, text: rootPost.text, open: true },
          ],
          replied_post: null,
          parent_post_id: null,
        },
      ],
      next: null,
      open: 1,
      settled: 4,
    },
  },
  countReports: { reply: { open: 3, pending: 1 } },
  listPending: {
    query: {},
    reply: {
      posts: [
        {
          id: '1031',
          text: 'Всем привет!',
          created_at: at,
          replied_post_id: null,
          expires_at: at + 24 * 3_600,
          owner: boris,
          replied_post: null,
        },
      ],
      next: null,
      last_hour: { since: at - 3_000, until: at + 600, posts: 1, people: 1 },
    },
  },
  approvePost: { params: { id: '1031' }, reply: { act_id: '71', post_id: '1044' } },
  blockWaiting: {
    body: { since: at - 3_000, until: at + 600, ...because },
    reply: { people: 1, posts: 1, left: false },
  },
  removePost: { params: post, body: because, reply: settled },
  returnPost: { params: post, body: because, reply: { ...act, settled_reports: 0 } },
  lockDiscussion: { params: post, body: because, reply: { ...act, settled_reports: 0 } },
  unlockDiscussion: { params: post, body: because, reply: { ...act, settled_reports: 0 } },
  paceDiscussion: { params: post, body: { seconds: 300 }, reply: act },
  dismissReports: { params: post, body: because, reply: settled },
  listPeople: { query: { q: 'bor' }, reply: { people: [person], next: null } },
  getPerson: { params: byName, reply: person },
  blockPerson: { params: byName, body: { ...because, remove_posts: false }, reply: ofPerson },
  warnPerson: { params: byName, body: because, reply: act },
  unblockPerson: { params: byName, body: { ...because, restore_posts: false }, reply: ofPerson },
  getBranch: {
    params: byName,
    reply: {
      inviter: { username: galina.username, display_name: galina.display_name },
      may_invite: 'yes',
      people: [
        {
          id: '9',
          username: 'vera_n',
          display_name: 'Вера',
          role: null,
          is_blocked: false,
          level: 1,
          by: boris.username,
        },
      ],
      more: false,
    },
  },
  endInviting: { params: byName, body: because, reply: act },
  allowInviting: { params: byName, body: because, reply: act },
  blockBranch: { params: byName, body: { ...because, remove_posts: true }, reply: { blocked: 12, remaining: 0 } },
  startModeration: { body: { clientToken }, reply: { id: operationId } },
  verifyModeration: {
    params: { id: operationId },
    body: { confirmCode, clientToken },
    reply: { confirmed_until: at + 900 },
  },
  getModeration: { reply: { confirmed_until: null } },
  listInvites: {
    query: { limit: '1' },
    reply: {
      registration: 'invite',
      invites: [
        {
          id: '5',
          note: 'Для соседей',
          created_at: at,
          used_at: null,
          used_by: null,
          seats: 10,
          used: 3,
          may_end: true,
        },
      ],
      next: null,
    },
  },
  makeInvites: { body: { count: 1, reason: 'Для соседей' }, reply: { codes: ['K7QF-2MZX-9TRD'] } },
  listJournal: {
    query: { limit: '1' },
    reply: {
      acts: [
        {
          id: act.act_id,
          at,
          by: galina.username,
          by_id: galina.id,
          action: 'remove',
          target: otherPostId,
          target_id: otherPostId,
          reason: because.reason,
          details: null,
          undo: true,
          post: { text: 'Продам гараж, звоните!', is_removed: true },
        },
      ],
      next: null,
    },
  },
  undoAct: { params: { id: act.act_id }, body: because, reply: { act_id: '72' } },
  getPin: { reply: { pinned: { post: rootPost, until: null } } },
  pinPost: { body: { post_id: otherPostId, until: null }, reply: act },
  unpinPost: { body: {}, reply: act },
  endInvite: { params: { id: '5' }, body: { reason: 'Больше не нужно' }, reply: act },
  appointPerson: { params: byName, body: { reason: 'Помогает вести стену', owner: false }, reply: act },
  dismissPerson: { params: byName, body: { reason: 'Устал' }, reply: act },
  getInvitation: {
    params: { code: 'K7QFA-2MZX9' },
    reply: { inviter: { username: galina.username, display_name: galina.display_name } },
  },
  checkOwnerLink: { params: ownerLink },
  becomeOwner: { params: ownerLink },
};
