// The entry of the package: what a program imports from `stena-client`.
export { ApiError } from './api-error.ts';
export { createClient } from './create-client.ts';
export * from '../contract/account.ts';
export * from '../contract/wall-texts.ts';
export * from '../contract/live.ts';
export * from '../contract/moderation.ts';
export * from '../contract/bookmarks.ts';
export * from '../contract/claims.ts';
export * from '../contract/mutes.ts';
export * from '../contract/notifications.ts';
export * from '../contract/posts.ts';
export * from '../contract/api-tokens.ts';
export * from '../contract/reading.ts';
export * from '../contract/reports.ts';
export * from '../contract/search.ts';
export * from '../contract/sessions.ts';
export * from '../contract/sign-in.ts';
export * from '../contract/suggestions.ts';
