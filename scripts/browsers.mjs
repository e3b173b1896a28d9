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
import { installDebianPackages } from './debian-package.mjs';
import { fail, hostEnv, root } from './project.mjs';

/** The programs of the walk by Debian package. Firefox is driven without geckodriver, which Debian does not have. */
const programs = {
  'firefox-esr': 'firefox-esr',
  'webkit2gtk-driver': 'WebKitWebDriver',
  xvfb: 'Xvfb',
  lynx: 'lynx',
  w3m: 'w3m',
};

/** The oldest Chromium that the build supports (`target` in vite.config.ts). The package is only for x64. */
const floor = {
  name: '@sparticuz/chromium@131.0.1',
  program: 'chromium-131.0.1',
  integrity: 'sha512-VfmHkQmb/Px0zjwdSQwjRMwFw63Qfj+g4Giumz4jiAGEpXHgIZk6xEwlUz6yiUHVDveK2TEgMR2MR6I3okOE7w==',
};

/** The browsers of the walk with their programs, as in `Firefox=/usr/bin/firefox-esr`. Installs missing ones. */
export async function ensureBrowsers() {
  await ensurePrograms(Object.keys(programs));
  const terminals = ['lynx', 'w3m'].map((name) => `${name}=${pathOf(name)}`);
  const browsers = [`Firefox=${pathOf('firefox-esr')}`, `WebKit=${pathOf('WebKitWebDriver')}`, ...terminals];
  if (process.arch !== 'x64') return browsers;
  return [...browsers, `Chromium=${await ensureFloor()}`];
}

/** The path of Firefox. */
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

/** Not in package.json, because it is 65 MB and only the walk needs it. */
async function ensureFloor() {
  const folder = join(root, 'node_modules/.cache');
  const program = join(folder, floor.program);
  if (existsSync(program)) return program;
  console.error(`Downloading ${floor.name}…`);
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'stena-chromium-'));
  try {
    await run('npm', ['pack', floor.name, '--silent', '--pack-destination', work], { env: hostEnv });
    const [archive] = readdirSync(work);
    if (!archive || integrityOf(join(work, archive)) !== floor.integrity)
      fail(`${floor.name} could not be downloaded.`);
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
