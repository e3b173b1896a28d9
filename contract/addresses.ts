/** `/posts/{id}` has the parameter `id`; `{outcome:done|used}` is one of the values named. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Parameter}}${string}`
  ? Parameter extends `${infer Name}:${infer Values}`
    ? Record<Name, OneOf<Values>>
    : Record<Parameter, string>
  : object;

type OneOf<Values extends string> = Values extends `${infer First}|${infer Rest}` ? First | OneOf<Rest> : Values;

type Query = Readonly<Record<string, string>>;
type HrefArguments<P> = keyof P extends never ? [params?: P, query?: Query] : [params: P, query?: Query];

export interface Address<P = object> {
  /** The parameter, if there is one, is in braces. */
  readonly path: string;
  href(...args: HrefArguments<P>): string;
  /** The parameter of a path at this address; null for any other path. */
  match(pathname: string): P | null;
}

// The next line lets the build drop the addresses that the browser does not use.
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

/** The pages that something links to. */
export const addresses = {
  feed: address('/'),
  /** The feed as a list of discussions: those that replies have lifted, and those that the reader follows. */
  discussed: address('/discussed'),
  following: address('/following'),
  /** The posts that most people like or have answered: of a week, a month, all time. */
  best: address('/best'),
  bestOf: address('/best/{period:month|all}'),
  /** The form of a new post. The query is what another app shares: `title`, `text` and `url`. */
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
  /** The link for a person who was imported. */
  claim: address('/claim/{code}'),
  user: address('/users/{username}'),
  userActions: address('/users/{username}/actions'),
  userReplies: address('/users/{username}/replies'),
  /** The query is the parameter `q`. */
  search: address('/search'),
  liked: address('/liked'),
  ownPosts: address('/own/posts'),
  ownReplies: address('/own/replies'),
  saved: address('/own/saved'),
  /** What the person has deleted in the last minutes. */
  deleted: address('/own/deleted'),
  notifications: address('/notifications'),
  settings: address('/settings'),
  settingsDataAndPrograms: address('/settings/data-and-programs'),
  settingsData: address('/settings/data'),
  /** The file with one's own data. */
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
  /** For moderators; to everybody else these pages do not exist. */
  moderation: address('/moderation'),
  moderationPeople: address('/moderation/people'),
  moderationBlocked: address('/moderation/blocked'),
  moderationImported: address('/moderation/imported'),
  moderationInvites: address('/moderation/invites'),
  moderationJournal: address('/moderation/journal'),
  /** The query is the post to pin: `q`. */
  moderationPin: address('/moderation/pin'),
  /** The form of an act of those who keep the wall. The query is what it is about: `of`. */
  keeperAct: address('/moderation/acts/{name}'),
  moderationWaiting: address('/moderation/waiting'),
  moderationPerson: address('/moderation/people/{username}'),
  /** For owners; to everybody else these pages do not exist. */
  keep: address('/keep'),
  keepLife: address('/keep/life'),
  /** The link of an invitation. */
  join: address('/join/{code}'),
  /** The link that a new wall prints for its first owner. */
  ownerLink: address('/owner/{code}'),
  /** Mailed links lead here with a token in the query. The page's form is also sent here. */
  undoEmail: address('/undo-email'),
  undoEmailOutcome: address('/undo-email/{outcome:done|used|expired|unknown}'),
  /** The link and the header of letters with notifications lead here, with a token in the query. */
  unsubscribe: address('/unsubscribe'),
  unsubscribeOutcome: address('/unsubscribe/{outcome:done|expired|unknown}'),
  /**
   * The operator's texts about the wall and the description of its API. There is a text of consent only if the operator has
   * written one.
   */
  wallText: address('/{name:about|rules|privacy|consent|api}'),
};

export type UnsubscribeOutcome = NonNullable<ReturnType<typeof addresses.unsubscribeOutcome.match>>['outcome'];
export type UndoOutcome = NonNullable<ReturnType<typeof addresses.undoEmailOutcome.match>>['outcome'];

export type WallTextName = NonNullable<ReturnType<typeof addresses.wallText.match>>['name'];

/** Files for programs: feed readers, search engines, browsers. */
export const siteFiles = {
  feed: address('/feed.xml'),
  discussedFeed: address('/discussed.xml'),
  bestFeed: address('/best.xml'),
  userFeed: address('/users/{username}/feed.xml'),
  sitemap: address('/sitemap.xml'),
  sitemapPart: address('/sitemap-{part}.xml'),
  sitemapAuthorsPart: address('/sitemap-authors-{part}.xml'),
  robots: address('/robots.txt'),
  manifest: address('/manifest.webmanifest'),
  mark: address('/mark.svg'),
  /** The same with a dot, and with room for every shape of an icon. */
  markUnread: address('/mark-unread.svg'),
  markMaskable: address('/mark-maskable.svg'),
  /** Drawn by an owner's browser, with the name of the wall. */
  sharePicture: address('/wall-share.png'),
  homeIcon: address('/wall-icon.png'),
  securityTxt: address('/.well-known/security.txt'),
};

/** A reply at its place in the discussion. Browsers do not send what is behind the `#`. */
export const inDiscussion = (id: string, rootId: string): string => `${addresses.post.href({ id: rootId })}#${id}`;
