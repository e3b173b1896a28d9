import type * as warning from '../warning.ts';
import type * as account from '../account.ts';
import type * as apiTokens from '../api-tokens.ts';
import type * as claims from '../claims.ts';
import type * as invitations from '../invitations.ts';
import type * as sessions from '../sessions.ts';
import type * as signIn from '../sign-in.ts';
import type * as suggestions from '../suggestions.ts';
import type { ExamplesOf } from './example.ts';
import {
  at,
  boris,
  claimCode,
  clientToken,
  confirmCode,
  email,
  galina,
  invitationId,
  newEmail,
  newUsername,
  operationId,
  otherPostId,
  ownPost,
  sessionId,
  tokenId,
} from './values.ts';

const device = { userAgent: 'curl', userAgentVersion: '8.5', os: 'Linux' };
const operation = { id: operationId };
const confirm = { confirmCode, clientToken };
const tokens = { accessToken: { token: '412.1767269400.kq2Fh0vS', expiresAt: at + 600 } };

export const signInExamples: ExamplesOf<typeof signIn> = {
  startLogin: { body: { email, clientToken, device }, reply: operation },
  verifyLogin: { params: operation, body: confirm, reply: tokens },
  startRegistration: { body: { email, clientToken, device }, reply: operation },
  verifyRegistration: { params: operation, body: confirm, reply: tokens },
  getMailState: { params: operation, query: { clientToken }, reply: { state: 'accepted' } },
};

export const sessionExamples: ExamplesOf<typeof sessions> = {
  renewToken: { body: { clientToken }, reply: tokens },
  listSessions: {
    reply: { sessions: [{ id: sessionId, current: true, createdAt: at, lastActiveAt: at + 600, device }] },
  },
  closeSession: { params: { id: sessionId } },
  closeOtherSessions: {},
  closeCurrentSession: {},
};

const apiToken = { id: tokenId, name: 'бот погоды', scope: 'write', createdAt: at } as const;

export const apiTokenExamples: ExamplesOf<typeof apiTokens> = {
  listApiTokens: { reply: { tokens: [{ ...apiToken, lastUsedAt: at + 3_600 }] } },
  startApiToken: { body: { clientToken }, reply: operation },
  verifyApiToken: {
    params: operation,
    body: { ...confirm, name: apiToken.name, scope: apiToken.scope },
    reply: { ...apiToken, token: 'stena_Zk2vR0q9x' },
  },
  endApiToken: { params: { id: tokenId } },
};

const about = 'Пеку хлеб, чиню велосипеды.';
const currentUser = { ...galina, about, email };
const kept = {
  section: 'Что вы читаете',
  title: 'Скрытые авторы',
  about: 'они об этом не знают',
  kept_until: 'до удаления учётной записи',
  count: 1,
  first_at: at,
  last_at: at,
};
const written = { id: ownPost.id, text: ownPost.text, created_at: at, is_modified: false };

export const accountExamples: ExamplesOf<typeof account & typeof warning> = {
  readWarning: {},
  getCurrentUser: { reply: currentUser },
  getUser: { params: { username: galina.username }, reply: { ...galina, about, created_at: at, posts_count: 12 } },
  startEmailChange: { body: { email: newEmail, clientToken }, reply: operation },
  verifyEmailChange: { params: operation, body: confirm, reply: { email: newEmail } },
  startDeviceConfirmation: { body: { clientToken }, reply: operation },
  verifyDeviceConfirmation: { params: operation, body: confirm },
  checkUsername: { params: { username: newUsername }, reply: { available: true } },
  changeProfile: { body: { username: newUsername }, reply: { ...currentUser, username: newUsername } },
  getKeptData: { reply: { kept: [kept] } },
  exportAccount: {
    reply: {
      account: { ...currentUser, created_at: at },
      posts: [written],
      replies: [],
      likes: [{ post_id: otherPostId, created_at: at + 30 }],
      bookmarks: [{ post_id: otherPostId, created_at: at + 40 }],
      removed: [],
      pending: [],
      reading: [{ list: 'feed', post_id: otherPostId, updated_at: at + 45 }],
      notifications: { follow_replied: true, digest: 'off' },
      follows: [{ post_id: ownPost.id, following: true }],
      tokens: [{ name: apiToken.name, scope: apiToken.scope, created_at: at, last_used_at: null }],
      invitations: [{ created_at: at, is_open: false, used_at: at + 60, used_by: boris.username }],
      consents: [],
      kept: [{ ...kept, rows: [{ muted_id: 7, created_at: at }] }],
    },
  },
  startDeletion: { body: { clientToken }, reply: operation },
  verifyDeletion: { params: operation, body: confirm },
};

export const suggestionExamples: ExamplesOf<typeof suggestions> = {
  listSuggestions: { query: { q: 'bor', post_id: otherPostId }, reply: { users: [boris] } },
};

const own = {
  invitations: [
    {
      id: invitationId,
      code: 'K7QFA-2MZX9',
      url: 'https://stena.example.org/join/K7QFA-2MZX9',
      created_at: at,
      is_open: true,
      used_by: null,
    },
  ],
  left: 2,
  refused: null,
  next_at: null,
};

export const invitationExamples: ExamplesOf<typeof invitations> = {
  listInvitations: { reply: own },
  makeInvitation: { reply: own },
  endInvitation: { params: { id: invitationId }, reply: { ...own, invitations: [] } },
};

const claim = { code: claimCode };

export const claimExamples: ExamplesOf<typeof claims> = {
  getClaim: { params: claim, reply: { user: boris, posts_count: 12, replies_count: 40, is_claimed: false } },
  claimAccount: { params: claim },
};
