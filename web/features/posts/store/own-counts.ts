import { createObservable } from '../../../lib/observable.ts';

/** How many posts written on this page wait for a moderator. */
export const heldPosts = createObservable(0);

/** How many posts wait for a moderator, for those who are one. */
export const waitingAtDesk = createObservable(0);

/** The number of unread notifications, the same on all of the person's devices. */
export const unreadNotifications = createObservable(0);
