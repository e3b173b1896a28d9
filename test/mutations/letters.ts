import { byRule } from './mutation.ts';

const codeMail = 'server/mail/code-mail.ts';
const letter = 'server/mail/letter.ts';
const sender = 'server/mail/sender.ts';
const transport = 'server/mail/transport.ts';
const mailTest = 'server/mail/mail.test.ts';
const dkimTest = 'server/mail/dkim.test.ts';
const checks = 'server/commands/admin/mail-check/checks.ts';
const spf = 'server/commands/admin/mail-check/spf.ts';
const mailCheckTest = 'server/commands/admin/mail-check/mail-check.test.ts';
const digestStore = 'server/features/notifications/digest-store.ts';
const digestPeriod = 'server/features/notifications/digest-period.ts';
const sendDigests = 'server/ops/jobs/send-digests.ts';
const digestTest = 'server/features/notifications/digest.test.ts';
const unsubscribing = 'server/features/notifications/unsubscribing.ts';
const unsubscribeRoutes = 'server/features/notifications/unsubscribe-routes.ts';
const unsubscribingTest = 'server/features/notifications/unsubscribing.test.ts';
const everyPurpose = 'for every purpose';

/** Letters that arrive, letters with notifications, and their end: rules 89 to 91. */
export const letters = byRule({
  89: {
    'the subject does not show the code': {
      change: [codeMail, 'subject: `${code} — ${subject}`', 'subject'],
      test: [mailTest, everyPurpose],
    },
    'the last line is not that of a code': {
      change: [letter, '`@${host} #${code}`', '`${host}: ${code}`'],
      test: [mailTest, everyPurpose],
    },
    'the code is in the text twice': {
      change: [letter, "return 'шесть цифр в начале темы и в последней строке этого письма.';", 'return part.code;'],
      test: [mailTest, everyPurpose],
    },
    'retries come every second': {
      change: [sender, 'const retrySeconds = [5, 15, 60];', 'const retrySeconds = [1, 1, 1];'],
      test: ['server/mail/retries.test.ts', 'after 5, 15 and 60 seconds'],
    },
    'mails are not signed': {
      change: [transport, '    ...signature(config),\n    pool', '    pool'],
      test: [dkimTest, 'are signed in the name'],
    },
    'an allowed address is not looked for in SPF': {
      change: [
        checks,
        "case 'not allowed':\n        if (tried !== addresses) break;",
        "case 'not allowed':\n        break;",
      ],
      test: [mailCheckTest, 'finds SPF without the sender'],
    },
    'the DKIM record is not compared with the key': {
      change: [checks, "if (records[0]!.get('p') !== key)", "if (records[0]!.get('p') === undefined)"],
      test: [mailCheckTest, 'finds the DKIM record of another key'],
    },
    'SPF for everybody is not noticed': {
      change: [spf, "if (terms.some((term) => /^\\+?all$/i.test(term))) return { is: 'for everybody' };", ''],
      test: [mailCheckTest, 'finds SPF with'],
    },
    'a server that does not answer counts as a missing record': {
      change: [
        'server/commands/admin/mail-check/dns.ts',
        "new Set(['ENODATA', 'ENOTFOUND'])",
        "new Set(['ENODATA', 'ENOTFOUND', 'ETIMEOUT'])",
      ],
      test: [mailCheckTest, 'finds SPF that times out'],
    },
  },
  90: {
    'a letter is sent more than once in a period': {
      change: [digestPeriod, '(now - startOfDay) % day', '(now - startOfDay) % hour'],
      test: [digestTest, 'come once a day'],
    },
    'a letter is sent to people who were here': {
      change: [sendDigests, 'if (await wasHere(tx, id, now)) return;', ''],
      test: [digestTest, 'come once a day'],
    },
    'a letter repeats what the last one told of': {
      change: [sendDigests, 'await recordDigest(tx, subscriber);', ''],
      test: [digestTest, 'come once a day'],
    },
    'a letter goes to the address that was left': {
      change: [sender, 'await transport.send(mail.recipient,', 'await transport.send(recipient,'],
      test: [digestTest, 'go to the current address'],
    },
    'muted authors are in letters': {
      change: [digestStore, "sql.ref('n.author_id')))", "sql.ref('n.user_id')))"],
      test: [digestTest, 'do not go to others'],
    },
  },
  91: {
    'opening the page ends the letters': {
      change: [
        unsubscribeRoutes,
        '    scope.post(addresses.unsubscribe.path, async',
        "    app.addHook('onRequest', async ({ method, query }) => {\n      if (method === 'GET') await unsubscribe(String((query as { token?: string }).token));\n    });\n    scope.post(addresses.unsubscribe.path, async",
      ],
      test: [unsubscribingTest, 'takes one request of a mail program'],
    },
    'requests from elsewhere are refused': {
      change: [
        unsubscribeRoutes,
        'scope.post(addresses.unsubscribe.path, async',
        "scope.post(addresses.unsubscribe.path, { config: { access: 'public' } }, async",
      ],
      test: [unsubscribingTest, 'takes one request of a mail program'],
    },
    'a mail program is redirected': {
      change: [unsubscribeRoutes, 'if (!oneClick.test(String(body))) {', 'if (oneClick.source !== String(body)) {'],
      test: [unsubscribingTest, 'takes one request of a mail program'],
    },
    'anybody can end the letters of anybody': {
      change: [
        unsubscribing,
        'if (!secrets.isSignatureOfLink(signature, signed({ id, email }, at))) return',
        'if (!secrets.isSignatureOfLink(signature, signed({ id, email }, at)) && now < 0) return',
      ],
      test: [unsubscribingTest, 'by the form of the page'],
    },
    'a link is valid for ever': {
      change: [unsubscribing, "at + validSeconds < now ? 'expired' : 'done'", "'done'"],
      test: [unsubscribingTest, 'by the form of the page'],
    },
    'a link in a letter to a former address works': {
      change: [unsubscribing, '`unsubscribe ${id} ${email} ${at}`', '`unsubscribe ${id} ${email && at}`'],
      test: [unsubscribingTest, 'ends with the address that the letter went to'],
    },
    'a link of the previous secret does not work': {
      change: ['server/secrets.ts', ' || old.isSignatureOfLink(signature, text)', ''],
      test: [unsubscribingTest, 'outlive a change of the secret'],
    },
  },
});
