import type { Mutations } from './mutation.ts';

/** Rules about input, output, search and abuse. */
export const requests: Mutations = {
  16: {
    'unknown fields are accepted': {
      change: [
        'contract/common.schema.ts',
        '{ additionalProperties: false, ...more }',
        '{ additionalProperties: true, ...more }',
      ],
      test: [
        'server/http/errors.test.ts',
        'bodies that are too large, of another type, not JSON or with unknown fields',
      ],
    },
  },
  17: {
    'a text is empty only if trim() leaves nothing': {
      change: ['contract/text.ts', "text.replace(invisible, '') === ''", "text.trim() === ''"],
      test: [
        'server/features/posts/writing.test.ts',
        'an empty, too long or malformed text is refused with the reason',
      ],
    },
  },
  18: {
    'names that differ in case are different names': {
      change: ['contract/username.ts', 'string => username.toLowerCase()', 'string => username'],
      test: [
        'server/features/account/username.test.ts',
        'goes to one of a hundred people who claim it at once, in any case',
      ],
    },
  },
  19: {
    'a page may have 99 rows': {
      change: ['contract/common.schema.ts', "'^([1-9]|[1-4][0-9]|50)$'", "'^[1-9][0-9]?$'"],
      test: ['server/features/posts/reading.test.ts', 'refuses hostile paging and never returns more than 50 posts'],
    },
  },
  20: {
    'pages allow inline scripts': {
      change: [
        'server/http/headers.ts',
        `["script-src 'self'", ...hashes(scripts)]`,
        `["script-src 'self' 'unsafe-inline'"]`,
      ],
      test: ['server/http/headers.test.ts', 'every page has a strict content security policy'],
    },
    'scripts may make HTML of strings': {
      change: ['server/http/headers.ts', `"require-trusted-types-for 'script'",`, ''],
      test: ['server/http/headers.test.ts', 'every page has a strict content security policy'],
    },
    'personal responses may be cached': {
      change: [
        'server/http/response.ts',
        "'cache-control', 'no-store', 'content-type', jsonType];",
        "'content-type', jsonType];",
      ],
      test: ['server/features/sessions/sessions.test.ts', 'personal responses are not cached'],
    },
  },
  21: {
    'six posts per minute are allowed': {
      change: ['server/limits/writing-budgets.ts', '{ count: 5, seconds: minute }', '{ count: 6, seconds: minute }'],
      test: [
        'server/features/posts/writing-limits.test.ts',
        'budgets are exact under bursts, and repeated requests with a key are free',
      ],
    },
    'X-Forwarded-For is trusted from every client': {
      change: ['server/http/create-fastify.ts', 'trustProxy: trusted,', 'trustProxy: true,'],
      test: ['server/http/limits.test.ts', 'only from a trusted proxy'],
    },
  },
  22: {
    'a slow reader is never disconnected': {
      change: ['server/http/connections.ts', 'now - progress.since >= timeoutMs', 'now < 0'],
      test: ['server/http/slow-readers.test.ts', 'disconnects clients that read nothing'],
    },
  },
  32: {
    'a text is checked before the budget': {
      change: [
        'server/features/posts/writing-routes.ts',
        "const key = headers['idempotency-key'];",
        "acceptText(body.text); const key = headers['idempotency-key'];",
      ],
      test: ['server/limits/writing-budgets.test.ts', 'are checked before the text; a refused text spends nothing'],
    },
  },
  33: {
    'edits have no budget': {
      change: ['server/features/posts/writing-routes.ts', "request, 'edits'", "request, 'likes'"],
      test: ['server/limits/writing-budgets.test.ts', 'are exact for edits'],
    },
  },
  34: {
    'an address may keep any number of connections open': {
      change: ['server/http/connections.ts', 'if (count >= perAddress) {', 'if (count < 0) {'],
      test: ['server/http/connection-limit.test.ts', '8 connections open'],
    },
  },
  42: {
    'a name that was given up is available to others at once': {
      change: ['server/features/account/store.ts', 'if (await isReservedForAnother(', 'if (void isReservedForAnother('],
      test: ['server/features/account/left-names.test.ts', 'reserves the left name for 30 days'],
    },
  },
  43: {
    'mails repeat the name of the browser as it was sent': {
      change: ['server/mail/device-name.ts', 'browsers.has(userAgent) ?', "browsers.has('Chrome') ?"],
      test: ['server/mail/mail.test.ts', 'mails repeat no text from the device description'],
    },
  },
  44: {
    'wrong codes are not counted per network': {
      change: ['server/features/sign-in/judge-code.ts', '...(isKnown ? [] : budgets.guesses(networks)),', ''],
      test: [
        'server/features/sign-in/guessing.test.ts',
        'allows 30 wrong codes an hour for a network, and does not limit a known device by them',
      ],
    },
  },
  45: {
    'the log contains addresses': {
      change: ['server/secrets.ts', 'hmac(addressKey, address).slice(0, 16)', 'address || addressKey.toString()'],
      test: ['server/http/security-log.test.ts', 'logs and counts events'],
    },
  },
  70: {
    'the stems of Snowball are used as they are': {
      change: [
        'server/search/stem.ts',
        'const unified = snowball',
        'if (snowball) return snowball; const unified = snowball',
      ],
      test: ['server/search/words.test.ts', 'are the same for at least 94 % of all pairs of forms of 300 words'],
    },
  },
  71: {
    'a blocked person is found': {
      change: ['server/features/search/store.ts', ".where(isNotBlocked('u'))", ''],
      test: ['server/features/search/visibility.test.ts', 'exactly the visible posts are found'],
    },
    'an edited post is found by its old words': {
      change: ['server/search/post-words.ts', 'if (before) removeFromIndex', 'if (before && !after) removeFromIndex'],
      test: ['server/features/search/search.test.ts', 'reflects edits, deletions, removals and restorations at once'],
    },
  },
  72: {
    'a post that is deleted while the wall is being indexed stays in the index': {
      change: ['server/search/post-words.ts', '!(await isIndexed(tx, id))', '(await isIndexed(tx, id))'],
      test: ['server/search/build-index.test.ts', 'is indexed by a job, with everything that is written meanwhile'],
    },
  },
  73: {
    'visitors search without a limit': {
      change: [
        'server/features/search/routes.ts',
        'refuseAfter(waitOfVisitors(), visitorsTooOften);',
        'void visitorsTooOften;',
      ],
      test: [
        'server/features/search/limits.test.ts',
        'visitors share one rate, whatever their addresses; members do not notice',
      ],
    },
  },
  122: {
    'a command lacks the token': {
      change: ['server/pages/api/curl.ts', "access === 'user'", "access === 'moderator'"],
      test: ['server/pages/api/api-page.test.ts', 'works as it is written'],
    },
  },
  123: {
    'acts of moderators have no budget': {
      change: ['server/features/moderation/desk/http.ts', 'await spendOrRefuse(tx, budgets', 'Array.of(tx, budgets'],
      test: [
        'server/limits/writing-budgets.test.ts',
        'are exact for acts of moderators, whose last act allowed can still be undone',
      ],
    },
  },
  126: {
    'an event contains thousands of missed changes': {
      change: ['server/live/missed-news.ts', 'const maxChanges = 300;', 'const maxChanges = 5_000;'],
      test: [
        'server/live/missed-news.test.ts',
        'are replaced by a reset when there are more than 300 or their texts are long',
      ],
    },
  },
  132: {
    'a form sent twice acts twice': {
      change: ['server/pages/plain.ts', 'if (before) return before;', 'void before;'],
      test: ['server/pages/plain-forms.test.ts', 'a code sent twice signs in once'],
    },
    'reading writes to the session every time': {
      change: [
        'server/pages/api-in-process.ts',
        'session.last_active_at >= renewalSeconds',
        'session.last_active_at >= 0',
      ],
      test: ['server/pages/plain-access.test.ts', 'a session in use lives on'],
    },
  },
  133: {
    'a form needs no token': {
      change: ['server/pages/plain.ts', 'if (!isOwn) return', 'if (!isOwn && false) return'],
      test: ['server/pages/plain-forms.test.ts', 'no form of another origin acts'],
    },
    'a form of another origin acts': {
      change: ['server/pages/plain.ts', 'if (isForeign(request, publicHost)) throw', 'if (false) throw'],
      test: ['server/pages/plain-forms.test.ts', 'no form of another origin acts'],
    },
  },
};
