/** Limits that the server and the browser share. */
export const limits = {
  pageSize: 10,
  pageSizeMax: 50,
  postLength: 500,
  /** The counter of remaining characters is shown from this number down. */
  counterFrom: 50,
  /** Maximum length of an excerpt in a title. */
  titleLength: 60,
  codeLength: 6,
  usernameMin: 5,
  usernameMax: 32,
  /** In code points. */
  displayNameLength: 32,
  /** In code points. */
  aboutLength: 160,
  /** Maximum number of people suggested for a mention. */
  suggestions: 5,
  emailLength: 254,
  clientTokenLength: 256,
  deviceFieldLength: 256,
  /** Maximum length of a search query, in code points. */
  searchLength: 200,
  bodyBytes: 16 * 1024,
  requestTimeoutMs: 10_000,
  tokenRenewalSeconds: 20,
  usernameCheckMs: 500,
  toastMs: 3_500,
  toastPauseMs: 700,
  scrollLoadMs: 100,
  scrollLoadMargin: 0.4,
  typeaheadMs: 350,
  /** Time in which the author of a deleted post can restore it. */
  undoDeletionSeconds: 300,
  /** Words that a person follows, and as many hidden ones. */
  words: 20,
  /** In code points. */
  wordLength: 32,
  /** Maximum length of the name of an API token, in code points. */
  tokenNameLength: 50,
  /** Maximum number of API tokens that one person can have. */
  tokens: 20,
  /** Time for which lists show the last reply of a discussion. */
  lastReplySeconds: 24 * 3_600,
  /** Interval of requests for changes where event streams fail. */
  pollMs: 30_000,
} as const;

/** Limits that browsers do not know, so that the first script is smaller. */
export const serverLimits = {
  /** Maximum number of replies, at all levels, in one response about a discussion. */
  threadNodes: 50,
  /** Maximum number of replies to one reply in a response about a discussion. More of them are requested separately. */
  threadBranch: 20,
  /** Maximum number of ancestors of a post in the response, apart from the root. */
  threadAncestors: 5,
  /** Time since the registration in which posts say that their author is new here. */
  newHereSeconds: 7 * 24 * 3_600,
  cursorLength: 64,
  idempotencyKeyLength: 128,
  /** Additional time for a request that was sent just before the edit period ended. */
  editGraceSeconds: 5,
  /** Maximum number of posts whose replies one event stream reports. */
  watchedPosts: 10,
  /** Maximum number of people whom a post notifies of a mention: the first ones. */
  mentions: 10,
  /** Maximum number of authors that one person can mute. */
  mutes: 1_000,
  /** Maximum number of authors that one person can follow. */
  followedAuthors: 2_000,
  /** Maximum age of cached HTML, because it contains relative times. */
  pageMaxAgeSeconds: 30,
} as const;

/** The number of items that a query requests, at most `pageSizeMax`. */
export const limitOf = ({ limit = String(limits.pageSize) }: { limit?: string }): number =>
  Math.min(Number(limit), limits.pageSizeMax);

/** The terms of a block, in days. */
export const blockDays = [1, 7, 30] as const;
