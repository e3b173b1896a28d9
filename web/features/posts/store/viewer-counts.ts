import { createObservable } from '../../../lib/observable.ts';

/** The number of posts written on this page that wait for a moderator. */
export const heldPosts = createObservable(0);

/** The number of reported and waiting posts, for a person who is a moderator. */
export const waitingAtDesk = createObservable(0);

/** The number of unread notifications, the same on all of the person's devices. */
export const unreadNotifications = createObservable(0);
