/** The path `/posts/{id}` has the parameter `id`; `{outcome:done|used}` is a parameter with one of these values. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Parameter}}${string}`
  ? Parameter extends `${infer Name}:${infer Values}`
    ? Record<Name, OneOf<Values>>
    : Record<Parameter, string>
  : object;

type OneOf<Values extends string> = Values extends `${infer First}|${infer Rest}` ? First | OneOf<Rest> : Values;

type Query = Readonly<Record<string, string>>;
type HrefArguments<P> = keyof P extends never ? [params?: P, query?: Query] : [params: P, query?: Query];

/** A path of this site, with at most one parameter. Not an e-mail or network address. */
export interface Address<P = object> {
  /** The path with the parameter in braces. */
  readonly path: string;
  href(...args: HrefArguments<P>): string;
  /** The parameter of a path that matches this address; null for any other path. */
  match(pathname: string): P | null;
}

// The annotation lets the build drop the addresses that the browser does not use.
/* @__NO_SIDE_EFFECTS__ */
export function address<const Path extends string>(path: Path): Address<ParamsOf<Path>> {
  const [before, name = '', values, after = ''] = path.split(/\{(\w+):?(.*?)\}/);
  const pattern = RegExp(`^${before}${name && `(${values || '[^/]+'})`}${after}$`);
  return {
    path,
    href(...[params, query]: HrefArguments<ParamsOf<Path>>) {
      const value = name && encodeURIComponent((params as Query)[name]!);
      const search = new URLSearchParams(query).toString();
      return before + value + after + (search && `?${search}`);
    },
    match(pathname) {
      const match = pattern.exec(pathname);
      return match && ((name ? { [name]: decoded(match[1]!) } : {}) as ParamsOf<Path>);
    },
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const addresses = {
  feed: address('/'),
  /** Discussions in the order of their last lifts. A lift is a reply that moves its discussion to the top. */
  discussed: address('/discussed'),
  /** Discussions and authors that the reader follows. */
  following: address('/following'),
  /** Posts of the week by the number of people who like them or have answered. `bestOf`: of the month, of all time. */
  best: address('/best'),
  bestOf: address('/best/{period:month|all}'),
  /** The form of a new post. The query has the parameters `title`, `text` and `url` when another app shares something. */
  newPost: address('/new'),
  post: address('/posts/{id}'),
  postActions: address('/posts/{id}/actions'),
  postReply: address('/posts/{id}/reply'),
  postEdit: address('/posts/{id}/edit'),
  postDeletion: address('/posts/{id}/deletion'),
  postReport: address('/posts/{id}/report'),
  postClosure: address('/posts/{id}/closure'),
  postSharing: address('/posts/{id}/sharing'),
  /** A post that everyone may read on a closed wall. */
  sharedPost: address('/shared/{id}'),
  signIn: address('/sign-in'),
  /** The link with which a person claims an imported account. */
  claim: address('/claim/{code}'),
  user: address('/users/{username}'),
  userActions: address('/users/{username}/actions'),
  userReplies: address('/users/{username}/replies'),
  /** The query has the parameter `q`. */
  search: address('/search'),
  /** The query parameter `q` is the beginning of a name. */
  people: address('/people'),
  liked: address('/liked'),
  ownPosts: address('/own/posts'),
  ownReplies: address('/own/replies'),
  saved: address('/own/saved'),
  /** Posts that the person has deleted in the last minutes and can restore. */
  deleted: address('/own/deleted'),
  notifications: address('/notifications'),
  settings: address('/settings'),
  settingsDataAndPrograms: address('/settings/data-and-programs'),
  settingsData: address('/settings/data'),
  settingsExport: address('/settings/export'),
  settingsEmail: address('/settings/account/email'),
  settingsDeletion: address('/settings/account/deletion'),
  settingsMuted: address('/settings/muted'),
  settingsProfile: address('/settings/account/profile'),
  settingsUsername: address('/settings/account/username'),
  settingsDevices: address('/settings/devices'),
  settingsDevice: address('/settings/devices/{id}'),
  settingsApiTokens: address('/settings/programs'),
  settingsNotifications: address('/settings/notifications'),
  settingsInvitations: address('/settings/invitations'),
  /** For moderators and owners. For everybody else these pages do not exist. */
  moderation: address('/moderation'),
  moderationPeople: address('/moderation/people'),
  moderationBlocked: address('/moderation/blocked'),
  moderationImported: address('/moderation/imported'),
  moderationInvites: address('/moderation/invites'),
  moderationJournal: address('/moderation/journal'),
  /** The query parameter `q` is the post to pin. */
  moderationPin: address('/moderation/pin'),
  /** The form of a keeper's act. The query parameter `of` is the post or person concerned. */
  keeperAct: address('/moderation/acts/{name}'),
  moderationWaiting: address('/moderation/waiting'),
  moderationPerson: address('/moderation/people/{username}'),
  /** For owners. For everybody else this page does not exist. */
  keep: address('/keep'),
  join: address('/join/{code}'),
  /** The link that a new wall prints for its first owner. */
  ownerLink: address('/owner/{code}'),
  /** The page of a mailed link, with a token in the query. The form of the page is sent here too. */
  undoEmail: address('/undo-email'),
  undoEmailOutcome: address('/undo-email/{outcome:done|used|expired|unknown}'),
  /** The page to which letters with notifications or the best posts link, also in their header List-Unsubscribe. The query has a token. */
  unsubscribe: address('/unsubscribe'),
  unsubscribeOutcome: address('/unsubscribe/{outcome:done|expired|unknown}'),
  /**
   * The operator's texts about the wall and the description of its API. The text of consent exists only if the operator or an
   * owner has written it.
   */
  wallText: address('/{name:about|rules|privacy|consent|api}'),
};

export type UnsubscribeOutcome = NonNullable<ReturnType<typeof addresses.unsubscribeOutcome.match>>['outcome'];
export type UndoOutcome = NonNullable<ReturnType<typeof addresses.undoEmailOutcome.match>>['outcome'];

export type WallTextName = NonNullable<ReturnType<typeof addresses.wallText.match>>['name'];

/** The emoji of the wall. Apart from the other files, which the browser's code does not name. */
export const markFile = address('/mark.svg');

/** Files for programs: feed readers, search engines, browsers. */
export const siteFiles = {
  feed: address('/feed.xml'),
  discussedFeed: address('/discussed.xml'),
  bestFeed: address('/best.xml'),
  userFeed: address('/users/{username}/feed.xml'),
  /** The replies of a discussion, on any depth, and its root post. */
  discussionFeed: address('/posts/{id}/feed.xml'),
  /** The query has the parameter `q`. */
  searchFeed: address('/search.xml'),
  sitemap: address('/sitemap.xml'),
  sitemapPart: address('/sitemap-{part}.xml'),
  sitemapAuthorsPart: address('/sitemap-authors-{part}.xml'),
  robots: address('/robots.txt'),
  manifest: address('/manifest.webmanifest'),
  mark: markFile,
  /** The emoji of the wall with a dot for unread notifications. */
  markUnread: address('/mark-unread.svg'),
  /** The emoji with a margin, because systems cut icons to different shapes. */
  markMaskable: address('/mark-maskable.svg'),
  /** Drawn by an owner's browser, with the name of the wall. */
  sharePicture: address('/wall-share.png'),
  homeIcon: address('/wall-icon.png'),
  /** A carried wall. */
  carried: address('/carried/{id}'),
  securityTxt: address('/.well-known/security.txt'),
};

/** The address of a reply at its place in the discussion. Browsers do not send the part after `#`. */
export const inDiscussion = (id: string, rootId: string): string => `${addresses.post.href({ id: rootId })}#${id}`;
