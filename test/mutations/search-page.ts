import { byRule } from './mutation.ts';

const links = 'contract/links.ts';
const linksTest = 'contract/links.test.ts';
const loadFound = 'web/features/search/load-found.ts';
const searchSpec = 'test/e2e/search.spec.ts';
const searchTest = 'web/features/search/search-page.test.ts';
const statesSpec = 'test/e2e/search-states.spec.ts';

/** Links in texts and the page of the search: rules 80 and 81. */
export const searchPage = byRule({
  80: {
    'the end of an e-mail address is a mention': {
      change: [links, 'if (wordEnd.test(', 'if (index < 0 && wordEnd.test('],
      test: [linksTest, 'hashtags and mentions of "вася@'],
    },
    'a part of an address without a scheme is a hashtag': {
      change: [links, '#@&/\\\\.?=%+~$-])', '#@])'],
      test: [linksTest, 'hashtags and mentions of "example'],
    },
    'a mention may have any name': {
      change: [links, 'isUsername(name) ?', "name !== '' ?"],
      test: [linksTest, 'hashtags and mentions of "@anna @'],
    },
    'a number is a hashtag': {
      change: [links, 'letter.test(name) ?', "name !== '' ?"],
      test: [linksTest, 'hashtags and mentions of .*2026год'],
    },
    'a sign that looks like a slash passes for the end of the host': {
      change: [links, '...(misleads(link) && { shown: href })', ''],
      test: ['server/pages/feeds.test.ts', 'a link whose host reads like another one'],
    },
    'a host may mix Latin and Cyrillic letters': {
      change: [links, '(?=\\p{L})\\p{Script=Cyrillic}', '\\p{L}'],
      test: [linksTest, 'with its ASCII host'],
    },
    'the links of a feed have no host': {
      change: ['server/pages/atom.ts', "href.startsWith('/') ? publicUrl + href : href", 'href'],
      test: ['server/pages/feeds.test.ts', 'hashtags and mentions lead to pages of the wall'],
    },
  },
  81: {
    'all searches share one page in the cache': {
      change: ['server/pages/routes.ts', 'JSON.stringify(query)', "query.cursor ?? ''"],
      test: [searchTest, 'stays out of search engines'],
    },
    'visitors who search too often close the page to members': {
      change: ['server/pages/routes.ts', "error.code !== 'TOO_MANY_REQUESTS')", "error.code !== 'NOT_FOUND')"],
      test: [statesSpec, 'shows the results to members'],
    },
    'search engines may list the results': {
      change: ['web/app/document.ts', "search ? meta('name', 'robots', 'noindex') : ''", "''"],
      test: [searchTest, 'stays out of search engines'],
    },
    'the results replace what is typed while they are loading': {
      change: ['web/features/search/search-frame.tsx', 'sent.current !== q && ', ''],
      test: [searchSpec, 'what is typed while the results are loading stays'],
    },
    'an edited text is marked at the places of the former one': {
      change: ['web/features/search/found-post.tsx', 'searchedTexts.get(matches) === text ? matches : none', 'matches'],
      test: ['test/e2e/search-results.spec.ts', 'edits and deletions by others'],
    },
    'a post that left the results by an edit counts as deleted': {
      change: ['web/features/posts/store/store-updates.ts', 'if (!isSearch) missing', 'missing'],
      test: ['web/features/posts/store/post-store-live.test.ts', 'takes an edited post out of the results of a search'],
    },
    'a search for members only fails instead of asking to sign in': {
      change: [loadFound, "code === 'UNAUTHORIZED'", "code === 'FORBIDDEN'"],
      test: [statesSpec, 'visitors are asked to sign in'],
    },
  },
});
