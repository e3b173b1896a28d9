import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { wayBack } from './import-graph.mjs';
import { root } from './project.mjs';

/**
 * Each list is a side of the project, such as the server or the web app. Its entries are files and folders. A file belongs to
 * the entry with the longest matching path. It may import files of this entry and of entries above it in the list.
 */
const sides = [
  [
    'contract',
    'server/config.ts',
    'server/public-address.ts',
    'server/data-folder.ts',
    'server/secrets.ts',
    'server/version.ts',
    'server/waits.ts',
    'server/db',
    'server/names',
    'server/search',
    'server/http',
    'server/limits',
    'server/mail',
    'server/live',
    'server/features/api-tokens',
    'server/features/sessions',
    'server/features/words',
    'server/features/notifications',
    'server/features/wall-texts',
    'server/features/reading',
    'server/features/live',
    'server/features/mutes',
    'server/features/posts',
    'server/features/lists',
    'server/features/following',
    'server/features/threads',
    'server/features/carries',
    'server/features/notifications/letters',
    'server/features/posts/routes',
    'server/features/search',
    'server/features/reports',
    'server/features/moderation',
    'server/features/sign-in',
    'server/features/account',
    'server/features/moderation/desk',
    'server/pages',
    'server/ops',
    'server/features/wall-admin',
    'server/app.ts',
    'server/main.ts',
    'server/commands',
    'demo',
    'test/kit',
    'test/model',
    'test/measurements',
    'test/bench',
    'test/faults',
    'test/fuzz',
    'test/e2e',
    'test/screenshots',
    'test/upgrade',
  ],
  [
    'contract',
    'client',
    'web/lib',
    'web/ui',
    'web/theme',
    'web/forms',
    'web/features/wall-texts',
    'web/features/session',
    'web/features/sign-in',
    'web/features/account',
    'web/features/devices',
    'web/features/mutes',
    'web/features/words',
    'web/features/mail-state',
    'web/features/shortcuts',
    'web/features/posts/store',
    'web/features/reading',
    'web/features/posts/card',
    'web/features/posts/list',
    'web/features/posts/pinned',
    'web/features/posts/compose',
    'web/features/posts/thread',
    'web/features/moderation',
    'web/features/notifications',
    'web/features/push',
    'web/features/search',
    'web/features/live',
    'web/router',
    'web/pages',
    'web/archive',
    'web/app',
    'vite.config.ts',
    'test/kit/web',
  ],
  ['contract', 'client', 'test'],
  ['contract', 'client', 'scripts'],
];

/** Files that may import `server/http`: folders, the two entries, and every `routes.ts` and `http.ts`. */
const knowsHttp = /^server\/(http|pages|ops)\/|^server\/(app|main)\.ts$|(^|[/-])(routes|http)\.ts$|^(demo|test)\//;
const isTest = /\.(test|spec)\.tsx?$/;
const mayLoadSchemas = /^(contract|server|test|scripts\/client)\//;

/** A rule that says what is wrong with an import, if anything. */
const ruleOf = (objection) => ({
  meta: { type: 'problem' },
  create(context) {
    const file = pathInProject(context.filename);
    const check = (node) => {
      if (!node.source || typeof node.source.value !== 'string') return;
      const target = targetOf(node.source.value, context.filename);
      const message = objection(file, target, isTypeOnly(node));
      if (message) context.report({ node: node.source, message: `${file} must not import ${target}: ${message}` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      TSImportType: check,
    };
  },
});

/** Objects to an import that leads back to its file, also by `import()`, which the rule `import/no-cycle` does not see. */
function cycle(file, target) {
  const way = wayBack(file, target);
  return way && `it leads back: ${way.join(' → ')}`;
}

const known = new Map();

/** Whether TypeBox comes with an import of the file. Only the contract's files are followed. */
function loadsSchemas(target) {
  if (/^typebox(\/|$)/.test(target)) return true;
  if (!target.startsWith('contract/')) return false;
  if (!known.has(target)) {
    const imports = readFileSync(join(root, target), 'utf8').matchAll(/^import (?!type )[^;]*? from '(.+)';$/gm);
    known.set(
      target,
      [...imports].some(([, name]) => loadsSchemas(name.replace(/^\.\//, 'contract/'))),
    );
  }
  return known.get(target);
}

function disorder(file, target, typeOnly) {
  if (isTest.test(file)) return undefined;
  if (!typeOnly && !mayLoadSchemas.test(file) && loadsSchemas(target)) return 'schemas stay on the server';
  if (target.startsWith('server/http') && !knowsHttp.test(file)) return 'it may not know HTTP by its name';
  if (!/^(client|contract|demo|scripts|server|test|web)\//.test(target)) return undefined;
  const side = sides.find((entries) => placeIn(entries, file) >= 0 && placeIn(entries, target) >= 0);
  if (!side) return 'they are on different sides';
  return placeIn(side, target) > placeIn(side, file)
    ? 'it is below it in the order of scripts/lint-imports.mjs'
    : undefined;
}

/**
 * Files and folders that may name the table with the posts in every state: those that write posts, build threads, undo, or compare the
 * data. All others read the views `posts` and `removed_posts`.
 */
const mayNameAllPosts = [
  'server/db/',
  'server/commands/admin/find.ts',
  'server/commands/verify-data/',
  'server/features/moderation/removal.ts',
  'server/features/notifications/follows.ts',
  'server/features/notifications/removals.ts',
  'server/features/posts/likes.ts',
  'server/features/posts/own-deletion.ts',
  'server/features/posts/pending-posts.ts',
  'server/features/posts/post-states.ts',
  'server/features/posts/post-writes.ts',
  'server/features/posts/reply-rules.ts',
  'server/features/posts/thread-counts.ts',
  'server/features/threads/thread.ts',
  'server/features/posts/write-history.ts',
  'server/ops/jobs/clear-deleted.ts',
  'scripts/lint-imports.mjs',
  'test/',
];

const allPosts = {
  meta: { type: 'problem' },
  create(context) {
    const file = pathInProject(context.filename);
    if (isTest.test(file) || mayNameAllPosts.some((path) => file.startsWith(path))) return {};
    const check = (node, text) => {
      if (!/\ball_posts\b/.test(text)) return;
      const message = `${file} must read posts or removed_posts: all_posts also has the posts that nobody may see`;
      context.report({ node, message });
    };
    return {
      Literal: (node) => check(node, String(node.value)),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};

function placeIn(entries, path) {
  const fits = entries.filter((entry) => path === entry || path.startsWith(`${entry}/`));
  return entries.indexOf(fits.toSorted((a, b) => b.length - a.length)[0]);
}

function targetOf(specifier, importer) {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? pathInProject(resolve(dirname(importer), specifier)) : specifier;
}

function pathInProject(path) {
  return relative(root, path).replaceAll(sep, '/');
}

function isTypeOnly({ type, importKind, exportKind }) {
  return type === 'TSImportType' || importKind === 'type' || exportKind === 'type';
}

export default {
  meta: { name: 'stena' },
  rules: { 'import-order': ruleOf(disorder), 'no-cycle': ruleOf(cycle), 'all-posts': allPosts },
};
