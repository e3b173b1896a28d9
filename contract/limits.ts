/** Every number both sides must agree on. Spec section 9 unless a line says otherwise. */
export const limits = {
  pageSize: 10,
  pageSizeMax: 50,
  /** So many posts stand below a post in one answer about its discussion. */
  threadNodes: 50,
  /** So many replies to one post stand there at first, below the first level. */
  threadBranch: 20,
  /** So many of the posts that a post answers stand above it, apart from the root. */
  threadAncestors: 5,
  postLength: 500,
  postCounterFrom: 50,
  /** So much of a text stands in a title. */
  titleLength: 60,
  codeLength: 6,
  usernameMin: 5,
  usernameMax: 32,
  emailLength: 254,
  clientTokenLength: 256,
  deviceFieldLength: 256,
  cursorLength: 64,
  idempotencyKeyLength: 128,
  bodyBytes: 16 * 1024,
  requestTimeoutMs: 10_000,
  tokenRenewalSeconds: 20,
  usernameCheckMs: 500,
  toastMs: 3_500,
  toastPauseMs: 700,
  scrollLoadMs: 100,
  scrollLoadMargin: 0.4,
  typeaheadMs: 350,
  /** An edit sent in the last moment may be on its way a little longer. */
  editGraceSeconds: 5,
  /** So many posts may a reader of events name, to hear of their replies. */
  watchedPosts: 10,
  /** So many authors may one person mute. */
  mutes: 1_000,
  /** How often to ask for what is new where event streams fail. */
  pollMs: 30_000,
  /** Held-ready HTML is at most this old: its relative times were true when it was made. */
  pageMaxAgeSeconds: 30,
} as const;
