import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './child.mjs';
import { installDebianPackages, isListed, runs } from './debian-package.mjs';
import { fail, pinnedNode } from './project.mjs';

/** Debian's headless shell first: it runs the same tests in three quarters of the time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The path of a Chromium for the browser tests: an installed one, else Debian's, else Playwright's own download. */
export async function ensureChromium() {
  const found =
    (await headlessShell()) ?? (await installedChromium()) ?? (await debianChromium()) ?? (await downloadedChromium());
  return found ?? fail('The browser tests need Chromium, and none could be installed. Install one as “chromium”.');
}

/** A Chromium with the code that judges whether a site can be installed, which the headless shell lacks. */
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

/** Older systems do not have the package. */
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
