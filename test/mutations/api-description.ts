import { byRule } from './mutation.ts';

const limits = 'server/pages/api/call-limits.ts';
const curl = 'server/pages/api/curl.ts';
const pageTest = 'server/pages/api/api-page.test.ts';
const toolsTest = 'server/http/openapi-tools.test.ts';

/** What is written about the API: rule 122. */
export const apiDescription = byRule({
  122: {
    'an example is one that the call would refuse': {
      change: ['contract/examples/values.ts', "confirmCode = '257494'", "confirmCode = '25749'"],
      test: [
        'contract/examples/examples.test.ts',
        'every call has an example, and every part of it satisfies its schema',
      ],
    },
    'a tuple is described as in an older draft': {
      change: ['server/http/named-schemas.ts', '{ ...others, prefixItems: items, items: additionalItems }', 'schema'],
      test: [toolsTest, 'satisfies every rule that Redocly recommends, without a warning'],
    },
    'a query is described as text': {
      change: [
        'server/http/openapi.ts',
        "('contentSchema' in property ? property.contentSchema : property)",
        '(property)',
      ],
      test: [toolsTest, 'gives types with which a program compiles'],
    },
    'the page lists the calls of moderators': {
      change: ['server/pages/api/api-document.ts', "endpoint.access !== 'moderator'", 'endpoint.access !== undefined'],
      test: [pageTest, 'lists every call but those of moderators, and is open to search engines'],
    },
    'a command lacks the token': {
      change: [curl, "access === 'user'", "access === 'moderator'"],
      test: [pageTest, 'the command of createPost works as it is written'],
    },
    'a command breaks at a space': {
      change: [curl, "`'${word.replaceAll(\"'\", String.raw`'\\''`)}'`", 'word'],
      test: [pageTest, 'the command of createPost works as it is written'],
    },
    'the page names the limit of another call': {
      change: [limits, "likePost: 'likes'", "likePost: 'follows'"],
      test: [pageTest, 'the command of likePost works as it is written'],
    },
    'commands are shown with spaces that no shell separates words at': {
      change: ['web/features/documents/document-text.tsx', 'i % 2 === 0 ? noBreaks(part) : part', 'noBreaks(part)'],
      test: [pageTest, 'what the reader copies has no special spaces'],
    },
  },
});
