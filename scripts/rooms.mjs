/** Every file's room; the first pattern that fits decides. What a browser must never load has a room of its own. */
export const rooms = [
  ['schemas', /^contract\/(.+\.schema|table)\.ts$|^typebox(\/|$)/],
  ['contract', /^contract\//],

  ['server tests', /^server\/.+\.test\.ts$/],
  ['db', /^server\/(db\/|(config|data-folder|secrets)\.ts$)/],
  ['server pages', /^server\/pages\//],
  ['http', /^server\/http\//],
  ['metrics', /^server\/metrics\//],
  ['commands', /^server\/(admin|backup|demo|verify-data)\//],
  [
    'routes',
    /^server\/([^/]+\/([a-z]+-)?routes|account\/(confirmed-changes|export)|auth\/(auth-options|refusals|start|verify)|limits\/spend-or-refuse|posts\/(posts-answer|requests)|sessions\/(cookies|guard))\.ts$/,
  ],
  ['rules', /^server\/[^/]+\/rules\.ts$/],
  ['stores', /^server\/[^/]+\//],
  ['app', /^server\/app\.ts$/],
  ['main', /^server\/main\.ts$/],

  ['web tests', /^web\/.+\.test\.tsx?$/],
  ['lib', /^web\/lib\//],
  ['ui', /^web\/ui\//],
  ['router', /^web\/router\//],
  ['pages', /^web\/pages\//],
  ['areas', /^web\/[^/]+\//],
  ['web app', /^web\//],

  ['test support', /^test\//],
  ['e2e', /^e2e\//],
  ['bench', /^bench\//],
  ['torture', /^torture\//],
  ['scripts', /^scripts\//],
];

const server = ['contract', 'schemas', 'db'];
const served = [...server, 'stores', 'rules', 'http'];
const web = ['contract', 'lib', 'ui'];
const shown = [...web, 'areas', 'router'];

/** Who imports whom: a room may import itself and these. */
export const mayImport = {
  contract: [],
  schemas: ['contract'],

  db: ['contract'],
  rules: ['contract', 'db'],
  stores: ['contract', 'db', 'rules'],
  http: server,
  routes: served,
  'server pages': served,
  metrics: served,
  commands: [...server, 'stores', 'rules'],
  app: [...served, 'routes', 'server pages', 'metrics'],
  main: [...served, 'server pages', 'app'],
  'server tests': [...served, 'routes', 'server pages', 'metrics', 'commands', 'app', 'test support'],

  lib: ['contract'],
  ui: ['lib'],
  areas: web,
  router: [...web, 'areas'],
  pages: shown,
  'web app': [...shown, 'pages'],
  'web tests': [...shown, 'pages', 'web app'],

  'test support': [...served, 'server pages', 'commands', 'app'],
  e2e: [...server, 'stores', 'rules', 'test support'],
  bench: [...served, 'commands', 'app', 'test support'],
  torture: [...served, 'commands', 'app', 'test support', 'bench'],
  scripts: [],
};
