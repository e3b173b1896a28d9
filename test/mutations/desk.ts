import { byRule } from './mutation.ts';

const sessionsHttp = 'server/features/sessions/http.ts';
const routes = 'server/features/posts/routes.ts';
const pinned = 'server/features/posts/pinned.ts';
const reports = 'server/features/reports/store.ts';
const reported = 'server/features/reports/reported-posts.ts';
const moderation = 'server/features/moderation';
const journal = `${moderation}/journal.ts`;
const postActs = `${moderation}/post-acts.ts`;
const personActs = `${moderation}/person-acts.ts`;
const pinActs = `${moderation}/pin-acts.ts`;
const roles = `${moderation}/roles.ts`;
const undo = `${moderation}/desk/undo.ts`;
const journalRoutes = `${moderation}/desk/journal-routes.ts`;
const personRoutes = `${moderation}/desk/person-routes.ts`;
const deskHttp = `${moderation}/desk/http.ts`;
const accessTest = `${moderation}/desk/access.test.ts`;
const queueTest = `${moderation}/desk/queue.test.ts`;
const undoTest = `${moderation}/desk/undo.test.ts`;
const peopleTest = `${moderation}/desk/people.test.ts`;
const pinTest = `${moderation}/desk/pin.test.ts`;

const missing = 'to everybody but moderators every call of the desk looks missing';
const found = 'a moderator finds every call of the desk, until the next request after the role is gone';
const once = 'an act is in the journal once, with who did it';

const budgetsTest = 'server/limits/writing-budgets.test.ts';
const actBudgets = 'are exact for acts of moderators, whose last act allowed can still be undone';

/** The moderation desk: rules 92 to 95, and 123. */
export const desk = byRule({
  92: {
    'anybody with an account finds the desk': {
      change: [sessionsHttp, "owner.role !== 'moderator' || ", ''],
      test: [accessTest, missing],
    },
    'a blocked moderator finds the desk': {
      change: [sessionsHttp, ' || owner.blocked_at !== null) throw', ') throw'],
      test: [accessTest, missing],
    },
    'a page of another origin learns that a call exists': {
      change: [
        sessionsHttp,
        "if (access === 'moderator') return checkModerator(request, authorization);",
        "if (access === 'moderator' && !isForeign(request, access)) return checkModerator(request, authorization);",
      ],
      test: [accessTest, missing],
    },
    'a malformed body tells a missing call from one of moderators': {
      change: [
        sessionsHttp,
        "if (request.is404 && isApi(request.url)) throw new ApiError('NOT_FOUND');",
        'void isApi;',
      ],
      test: [accessTest, missing],
    },
    'a dismissed moderator stays confirmed': {
      change: [
        roles,
        'set({ moderation_until: null })',
        "set((eb) => ({ moderation_until: eb.ref('moderation_until') }))",
      ],
      test: [accessTest, found],
    },
    'the role outlives the account': {
      change: ['server/features/account/store.ts', 'deleted_at: now, role: null', 'deleted_at: now'],
      test: [peopleTest, 'a role goes with the account'],
    },
  },
  93: {
    'an act that was done already is recorded again': {
      change: [postActs, "if (settled === 0) return { obstacle: 'already' };", ''],
      test: [queueTest, once],
    },
    'the journal does not say which moderator it was': {
      change: [journal, 'moderator_id: moderatorId,', 'moderator_id: null,'],
      test: [queueTest, once],
    },
    'moderators settle reports of their own posts': {
      change: [postActs, "if (ownerId === by.moderatorId) return { obstacle: 'own post' };", ''],
      test: [queueTest, 'a moderator decides nothing about own posts'],
    },
    'moderators learn who has reported their own posts': {
      change: [
        'server/features/moderation/desk/post-routes.ts',
        'author.id === viewer ? null : by',
        'viewer < 0 ? null : by',
      ],
      test: [queueTest, 'shows reports of a moderator’s own post without the names'],
    },
    'moderators remove posts of their own to close reports of them': {
      change: [postActs, "if (post.user_id === by.moderatorId) return { obstacle: 'own post' };", ''],
      test: [queueTest, 'a moderator decides nothing about own posts'],
    },
    'a new report moves its post to the end of the queue': {
      change: [reported, "const isOlder = onlyOpen ? '<' : '>';", "const isOlder = '>';"],
      test: [queueTest, 'shows reported posts as they were reported'],
    },
    'the undo of a dismissal opens every report of the post': {
      change: [reports, "    .where('settled_by', '=', actId)\n    .returning('id')", "    .returning('id')"],
      test: [undoTest, 'of a dismissal opens exactly the reports that it settled'],
    },
    'the undo of a removal leaves its reports settled': {
      change: [
        undo,
        'if (!isRefused(outcome)) await reopenSettledBy(tx, post, id);',
        'void reopenSettledBy; void isRefused;',
      ],
      test: [undoTest, 'of a removal and of a restoration puts back what was'],
    },
    'the undo of the end of a block removes posts that were not restored': {
      change: [
        personActs,
        'const restores = restorePosts && (await hasRemovedWithBlock(tx, person.id));',
        'const restores = restorePosts || (await hasRemovedWithBlock(tx, person.id));',
      ],
      test: [undoTest, 'of the end of a block removes no posts when the block had removed none'],
    },
    'an act that a later one has ended is undone': {
      change: [undo, "if (entry.ended_by !== null) return { obstacle: 'already' };", ''],
      test: [undoTest, 'of a removal that a later act has ended'],
    },
    'a repeated request makes more invitations': {
      change: [
        journalRoutes,
        'await writeOnce(tx, once, () => make(tx, codesOf(count)))',
        'await make(tx, codesOf(count))',
      ],
      test: [peopleTest, 'invitations: a repeated request makes no others'],
    },
    'a repeated request for more invitations gets codes that do not exist': {
      change: [journalRoutes, 'codes: codesOf(made)', 'codes: codesOf(made && count)'],
      test: [peopleTest, 'invitations: a repeated request makes no others'],
    },
    'moderators read in the journal what its author has deleted': {
      change: [`${moderation}/desk/posts-of-acts.ts`, "      .where('p.by_author', '=', 0)\n", ''],
      test: [undoTest, 'the journal shows the post that an act was about'],
    },
  },
  94: {
    'a block needs no code': {
      change: [
        personRoutes,
        "if (!(await actor.isConfirmed(tx, acting.request))) throw refusalOf('unconfirmed');",
        'void refusalOf;',
      ],
      test: [peopleTest, 'a block needs a code of the last 15 minutes in the same session'],
    },
    'the undo of a block needs no code': {
      change: [undo, "(await undoing.isConfirmed(tx)) ? undefined : 'unconfirmed'", 'undefined'],
      test: [undoTest, 'of a block and of its end needs a fresh code'],
    },
    'a code confirms for longer than 15 minutes': {
      change: [roles, 'return until > now && until', 'return until'],
      test: [peopleTest, 'a block needs a code of the last 15 minutes in the same session'],
    },
    'moderators block each other': {
      change: [
        personActs,
        "return (await lockPerson(tx, id))?.role === 'moderator' ? 'moderator' : undefined;",
        'return undefined;',
      ],
      test: [peopleTest, 'moderators can block neither themselves nor each other'],
    },
  },
  95: {
    'the pinned post is on every page of the feed': {
      change: [routes, "'page' in place && place.page === 1 ? withPinned", "'page' in place ? withPinned"],
      test: [pinTest, 'is on the first page of the feed only'],
    },
    'the pinned post shows outdated counts': {
      change: [routes, 'tags: pinned ? [...tags, ...tagsOf([pinned])] : tags', 'tags'],
      test: [pinTest, 'is on the first page of the feed only'],
    },
    'a reader’s like of the pinned post is shown at another post': {
      change: [
        routes,
        'return reply.pinned ? [...reply.posts, reply.pinned] : reply.posts;',
        'return reply.pinned ? [reply.pinned, ...reply.posts] : reply.posts;',
      ],
      test: [pinTest, 'is on the first page of the feed only'],
    },
    'a cached feed shows the pinned post after its time': {
      change: [
        pinActs,
        "if (pin.until !== null) await schedule(tx, { name: 'end-pin', at: pin.until });",
        'void schedule;',
      ],
      test: [pinTest, 'ends at its time without a write by anybody'],
    },
    'the pinned post has no end': {
      change: [pinned, 'pin.until === null || pin.until > now', 'true || now'],
      test: [pinTest, 'ends at its time without a write by anybody'],
    },
    'a reply can be pinned': {
      change: [pinActs, "if (post.replied_post_id !== null) return { obstacle: 'reply' };", ''],
      test: [pinTest, 'only root posts on the wall can be pinned'],
    },
    'two moderators pin the same post twice': {
      change: [
        pinActs,
        "if (before?.post === pin.post && before.until === pin.until) return { obstacle: 'already' };",
        '',
      ],
      test: [pinTest, 'only root posts on the wall can be pinned'],
    },
  },
  123: {
    'acts of moderators have no budget': {
      change: [
        deskHttp,
        'await spendOrRefuse(tx, budgets[budget](userId), now(), tooManyActs);',
        'void spendOrRefuse;',
      ],
      test: [budgetsTest, actBudgets],
    },
    'undoing spends the budget of the acts': {
      change: [deskHttp, 'budgets[budget](userId)', 'budgets.acts(userId)'],
      test: [budgetsTest, actBudgets],
    },
  },
});
