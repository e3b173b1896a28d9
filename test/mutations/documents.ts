import { byRule } from './mutation.ts';

const markdown = 'server/features/documents/markdown.ts';
const files = 'server/features/documents/files.ts';
const documentsTest = 'server/features/documents/documents.test.ts';
const privacyTest = 'server/features/documents/privacy.test.ts';
const signInRoutes = 'server/features/sign-in/routes.ts';
const signInRules = 'server/features/sign-in/rules.ts';
const registrationTest = 'server/features/sign-in/registration.test.ts';

/** The operator's texts, consents and domains of addresses: rules 99–102. */
export const documents = byRule({
  99: {
    'raw HTML is rendered': {
      change: [markdown, 'markdownIt({ html: false })', 'markdownIt({ html: true })'],
      test: [documentsTest, 'contain no raw HTML, no script and no image'],
    },
    'a link may lead anywhere': {
      change: [
        markdown,
        'return protocol !== undefined && protocols.includes(protocol);',
        'return !!protocol || !!protocols;',
      ],
      test: [documentsTest, 'contain no raw HTML, no script and no image'],
    },
    'images are shown': {
      change: [
        markdown,
        "parser.renderer.rules['image'] = (tokens, index) => parser.utils.escapeHtml(tokens[index]!.content);",
        '',
      ],
      test: [documentsTest, 'contain no raw HTML, no script and no image'],
    },
    'links to other sites recommend them': {
      change: [markdown, "link.attrSet('rel', 'nofollow noopener')", 'void link'],
      test: [documentsTest, 'lead to other sites without a recommendation'],
    },
    'the page has a second heading of the first level': {
      change: [markdown, 'const topLevel = 2;', 'const topLevel = 1;'],
      test: [documentsTest, 'have their headings below the title'],
    },
    'a changed file shows only after half a minute': {
      change: ['server/pages/routes.ts', 'page ${documents.version()} ${path}', 'page ${path}'],
      test: [documentsTest, 'are shown on their pages and in the description as soon as they change'],
    },
    'an empty file empties the page': {
      change: [files, "if (text.trim() === '') throw new Error('it is empty');", ''],
      test: [documentsTest, 'keep their last good version while the file cannot be used'],
    },
    'bytes that are not UTF-8 are shown': {
      change: [files, '{ fatal: true }', '{ fatal: false }'],
      test: [documentsTest, 'keep their last good version while the file cannot be used'],
    },
    'a wall starts without the consent that its operator asks for': {
      change: [files, "if (name === 'consent') throw new ConfigError(explain(name, error));", 'void ConfigError;'],
      test: [documentsTest, 'fall back to the default at the start, except for the consent'],
    },
  },
  100: {
    'the text on privacy forgets a table': {
      change: ['server/features/documents/defaults/privacy.md', '(`known_devices`)', ''],
      test: [privacyTest, 'the text for readers on privacy names every table that holds personal data'],
    },
    'the guide on privacy forgets a table': {
      change: ['docs/guide/privacy.md', '`known_devices`', ''],
      test: [privacyTest, 'the guide for operators on privacy names every table that holds personal data'],
    },
  },
  101: {
    'a registration starts without the consent': {
      change: [signInRoutes, 'needed === undefined || given === needed', 'needed === undefined || needed.length > 0'],
      test: [registrationTest, 'is required in its present version and recorded with the new account'],
    },
    'the consent to any version is enough': {
      change: [signInRoutes, 'needed === undefined || given === needed', 'needed === undefined || given !== undefined'],
      test: [registrationTest, 'is required in its present version and recorded with the new account'],
    },
    'the consent is not recorded': {
      change: [signInRoutes, 'if (isNew && consent !== null)', 'if (isNew && consent === undefined)'],
      test: [registrationTest, 'is required in its present version and recorded with the new account'],
    },
    'the consent goes with the account': {
      change: [
        'server/ops/jobs/clear-deleted.ts',
        "await db.deleteFrom('mutes')",
        "await db.deleteFrom('consents').where('user_id', '=', userId).execute();\n    await db.deleteFrom('mutes')",
      ],
      test: [registrationTest, 'is kept for three years after the account is deleted'],
    },
    'the box is ticked from the start': {
      change: ['web/features/sign-in/code-flow.ts', '    agreed: false,\n', '    agreed: true,\n'],
      test: ['test/e2e/consent.spec.ts', 'registration starts only with a consent that the person has ticked'],
    },
  },
  102: {
    'only the whole domain is compared': {
      change: [
        signInRules,
        "labels.some((_, first) => domains.includes(labels.slice(first).join('.')))",
        "domains.includes(labels.join('.'))",
      ],
      test: [registrationTest, 'may be used to register or not'],
    },
    'a list that allows denies': {
      change: [signInRules, "isListed === (kind === 'allow')", "isListed === (kind === 'deny')"],
      test: [registrationTest, 'may be used to register or not'],
    },
    'a changed address may be at any domain': {
      change: ['server/features/account/email-routes.ts', '    refuseForeignDomain(email, config.emailDomains);\n', ''],
      test: [registrationTest, 'are checked when an address is changed'],
    },
    'existing accounts at the domain cannot sign in': {
      change: [
        signInRoutes,
        "if (purpose === 'registration') {\n      refuseForeignDomain",
        'if (purpose) {\n      refuseForeignDomain',
      ],
      test: [registrationTest, 'of existing accounts do not matter'],
    },
    'a domain is not converted to punycode': {
      change: ['server/config.ts', 'normalizeDomain(domain.trim())', '(void normalizeDomain, domain.trim())'],
      test: ['server/config.test.ts', 'are accepted when valid'],
    },
  },
});
