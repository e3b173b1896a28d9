import { byRule } from './mutation.ts';

const store = 'server/features/search/store.ts';
const routes = 'server/features/search/routes.ts';
const postWords = 'server/search/post-words.ts';
const buildIndex = 'server/search/build-index.ts';
const visibilityTest = 'server/features/search/visibility.test.ts';
const searchTest = 'server/features/search/search.test.ts';
const buildTest = 'server/search/build-index.test.ts';
const limitsTest = 'server/features/search/limits.test.ts';

/** What a search finds and for whom: rules 70–73. */
export const search = byRule({
  70: {
    'the stems of Snowball are used as they are': {
      change: [
        'server/search/stem.ts',
        'const settled = snowball',
        'if (snowball) return snowball;\n  const settled = snowball',
      ],
      test: ['server/search/words.test.ts', 'are the same for at least 94 % of all pairs of forms of 300 words'],
    },
    'an older section of the index is not searched': {
      change: ['server/search/matches.ts', 'newest - sectionOf(engine, from) + 1', '1'],
      test: ['server/search/matches.test.ts', 'finds posts of all sections of ids, newest first, on sqlite'],
    },
    'PostgreSQL searches the oldest section first': {
      change: ['server/search/matches.ts', 'sections.map(inSection)', 'sections.map(inSection).toReversed()'],
      test: ['server/search/matches.test.ts', 'finds posts of all sections of ids, newest first, on postgres'],
    },
  },
  71: {
    'an author alone is found without the replies': {
      change: ['server/features/search/candidates.ts', '[rootPostsOf, repliesOf].map(', '[rootPostsOf].map('],
      test: [searchTest, 'finds everything of an author or of a time, and says that there is no such author'],
    },
    'a blocked person is found': {
      change: [store, "    .where(isNotBlocked('u'))\n", ''],
      test: [visibilityTest, 'exactly the visible posts are found after any course of events on sqlite'],
    },
    'an edited post is found by its old words': {
      change: [
        postWords,
        'if (before) removeFromIndex(tx, before);',
        'if (before && !after) removeFromIndex(tx, before);',
      ],
      test: [searchTest, 'reflects edits, deletions, removals and restorations at once'],
    },
    'a restored post is not found again': {
      change: ['server/features/posts/hide-post.ts', 'await changeIndex(tx, null, post);', 'void changeIndex;'],
      test: [searchTest, 'reflects edits, deletions, removals and restorations at once'],
    },
  },
  72: {
    'a post that is deleted while the wall is being indexed stays in the index': {
      change: [postWords, '!(await isIndexed(tx, id))', '(await isIndexed(tx, id))'],
      test: [buildTest, 'is indexed by a job, with everything that is written meanwhile'],
    },
    'an index of old rules is continued': {
      change: [buildIndex, 'if (state?.version !== indexVersion)', 'if (!state)'],
      test: [buildTest, 'is indexed anew when the rules for words have changed'],
    },
  },
  73: {
    'visitors search without a limit': {
      change: [routes, 'refuseAfter(waitOfVisitors(), visitorsTooOften);', 'void visitorsTooOften;'],
      test: [limitsTest, 'visitors share one rate, whatever their addresses; members do not notice'],
    },
    'one network of visitors closes the search to all others': {
      change: [routes, 'refuseAfter(waitOfNetwork(clientNetwork(ip)), networkTooOften);', ''],
      test: [limitsTest, 'one network of visitors uses up only its own share, by the API and by the page'],
    },
    'a crowd of visitors keeps other readers waiting': {
      change: [routes, '    await turn();\n', ''],
      test: [limitsTest, 'of a crowd of visitors at most one search begins in a turn of the event loop'],
    },
    'one search reads all texts in one turn': {
      change: [store, 'await this.#turn();', ''],
      test: [limitsTest, 'a search in many long texts reads a few in each turn of the event loop'],
    },
    'a search in long texts reads all of them for one response': {
      change: [store, 'if (texts.letters > lettersAtMost) return pageOf(found, some.at(-1));', ''],
      test: [limitsTest, 'a search in long texts ends after 50,000 letters, and continues from there on sqlite'],
    },
    'SEARCH=members admits visitors': {
      change: [routes, "if (config.search === 'members') throw new ApiError('UNAUTHORIZED');", ''],
      test: [limitsTest, 'with SEARCH=members visitors are refused'],
    },
  },
});
