/** The requests for the queue of the desk. */
export const reports = /\/moderation\/reports/;

/** Texts of reported posts, as they are in the queue. */
export const [first, second, third] = ['Выиграй миллион!', 'Все вы дураки', 'Куплю гараж, дорого'] as const;
export const texts = [first, second, third];

/** A response to a request without a connection. */
export const fail = () => Promise.reject(new TypeError('Failed to fetch'));
