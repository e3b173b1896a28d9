import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { run } from './child.mjs';
import { installDebianPackages, isListed, runs } from './debian-package.mjs';
import { fail, hostEnv, pinnedNode, root } from './project.mjs';

/** Environment of the browsers in tests: they use the fonts of node_modules, whatever fonts the machine has. */
export const testFonts = { FONTCONFIG_FILE: join(root, 'test/e2e/fonts.conf') };

/** Debian's headless shell comes first, because it runs the same tests in three quarters of the time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * The path of a Chromium for the browser tests: Debian's headless shell, else an installed Chromium, else Debian's, else Playwright's own
 * download. The headless shell is installed if the system lists it.
 */
export async function ensureChromium() {
  const found =
    (await headlessShell()) ?? (await installedChromium()) ?? (await debianChromium()) ?? (await downloadedChromium());
  return found ?? fail('The browser tests need Chromium, and none could be installed. Install one as “chromium”.');
}

/** A full Chromium: unlike the headless shell it checks whether a site can be installed, and shows notifications. */
export async function ensureFullChromium() {
  const [, ...full] = names;
  if (!systemChromium(full)) await installDebianPackages(full[0]);
  return systemChromium(full) ?? (await ensureChromium());
}

function systemChromium(wanted = names) {
  const folders = process.env.PATH.split(delimiter);
  return wanted
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path) && runs(path));
}

/** The headless shell, if the system has a package of it. */
async function headlessShell() {
  const [shell] = names;
  if (!systemChromium([shell]) && isListed(shell)) await installDebianPackages(shell);
  return systemChromium([shell]);
}

async function installedChromium() {
  return systemChromium() ?? (await playwrightChromium());
}

async function debianChromium() {
  for (const name of names.slice(0, 2)) if (!systemChromium()) await installDebianPackages(name);
  return systemChromium();
}

async function downloadedChromium() {
  console.error('Downloading Chromium with Playwright…');
  await run(pinnedNode, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  return playwrightChromium();
}

async function playwrightChromium() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/** The programs of the walk (a test of the app in several browsers) by Debian package. Debian has no geckodriver, so none is used. */
const programs = {
  'firefox-esr': 'firefox-esr',
  'webkit2gtk-driver': 'WebKitWebDriver',
  xvfb: 'Xvfb',
  lynx: 'lynx',
  w3m: 'w3m',
};

/** The oldest Chromium that the build supports (`target` in vite.config.ts). The package exists only for x64. */
const oldestChromium = {
  name: '@sparticuz/chromium@131.0.1',
  program: 'chromium-131.0.1',
  integrity: 'sha512-VfmHkQmb/Px0zjwdSQwjRMwFw63Qfj+g4Giumz4jiAGEpXHgIZk6xEwlUz6yiUHVDveK2TEgMR2MR6I3okOE7w==',
};

/** The browsers of the walk with their programs, as in `Firefox=/usr/bin/firefox-esr`. Installs missing programs. */
export async function ensureBrowsers() {
  await ensurePrograms(Object.keys(programs));
  const terminals = ['lynx', 'w3m'].map((name) => `${name}=${pathOf(name)}`);
  const browsers = [`Firefox=${pathOf('firefox-esr')}`, `WebKit=${pathOf('WebKitWebDriver')}`, ...terminals];
  if (process.arch !== 'x64') return browsers;
  return [...browsers, `Chromium=${await ensureOldestChromium()}`];
}

/** Installs Firefox if it is missing; returns its path. */
export async function ensureFirefox() {
  await ensurePrograms(['firefox-esr']);
  return pathOf('firefox-esr');
}

async function ensurePrograms(packages) {
  const isMissing = (name) => !pathOf(programs[name]);
  const missing = packages.filter(isMissing);
  if (missing.length > 0) await installDebianPackages(...missing);
  const lacking = packages.filter(isMissing);
  if (lacking.length > 0) fail(`Needed, of Debian's packages: ${lacking.join(', ')}.`);
}

function pathOf(program) {
  return process.env.PATH.split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

/** Downloads the oldest Chromium. It is not in package.json, because it is 65 MB and only the walk needs it. */
async function ensureOldestChromium() {
  const folder = join(root, 'node_modules/.cache');
  const program = join(folder, oldestChromium.program);
  if (existsSync(program)) return program;
  console.error(`Downloading ${oldestChromium.name}…`);
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'stena-chromium-'));
  try {
    await run('npm', ['pack', oldestChromium.name, '--silent', '--pack-destination', work], { env: hostEnv });
    const [archive] = readdirSync(work);
    if (!archive || integrityOf(join(work, archive)) !== oldestChromium.integrity)
      fail(`${oldestChromium.name} could not be downloaded.`);
    await run('tar', ['-xzf', join(work, archive), '-C', work, 'package/bin/chromium.br']);
    const unpacked = join(folder, `chromium-${process.pid}`);
    await pipeline(
      createReadStream(join(work, 'package/bin/chromium.br')),
      createBrotliDecompress(),
      createWriteStream(unpacked, { mode: 0o755 }),
    );
    renameSync(unpacked, program);
  } finally {
    rmSync(work, { recursive: true });
  }
  return program;
}

function integrityOf(file) {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
}
