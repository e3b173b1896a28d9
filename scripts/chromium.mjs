import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './child.mjs';
import { installDebianPackages, runs } from './debian-package.mjs';
import { fail, pinnedNode } from './project.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of a Chromium for the browser tests: an installed one, else Debian's, else Playwright's own download. */
export async function ensureChromium() {
  const found = (await installedChromium()) ?? (await debianChromium()) ?? (await downloadedChromium());
  return found ?? fail('The browser tests need Chromium, and none could be installed. Install one as “chromium”.');
}

function systemChromium() {
  const folders = process.env.PATH.split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path) && runs(path));
}

async function installedChromium() {
  return systemChromium() ?? (await playwrightChromium());
}

async function debianChromium() {
  await installDebianPackages('chromium');
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
