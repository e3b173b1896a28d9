import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { postgresPath } from './debian-base.mjs';
import { archive } from './pack.mjs';

/** The user of the image, who owns /data. */
const user = 10_001;
const programFolder = '/opt/stena';

export const imageOf = ({ output, version }, { name }) => join(output, `stena-${version}-${name}.oci.tar`);

/** Makes the image in the layout of OCI. Only the layer above Debian changes from release to release. */
export function makeImage(release, platform, program, base) {
  const { version, commit, madeAt, work } = release;
  const layout = join(work, `image-${platform.name}`);
  const image = ['--image', `${layout}:${version}`];
  const created = new Date(madeAt * 1000).toISOString();
  umoci('init', '--layout', layout);
  umoci('new', ...image);
  const layers = [
    ['Debian packages', baseLayer(layout, base, madeAt)],
    [`stena ${version}`, programLayer(layout, program, madeAt)],
  ];
  for (const [name, tar] of layers) {
    umoci('raw', 'add-layer', ...image, `--history.created=${created}`, `--history.created_by=${name}`, tar);
    rmSync(tar);
  }
  const config = {
    created: [created],
    architecture: [platform.oci],
    'config.user': [`${user}:${user}`],
    'config.exposedports': ['3000/tcp'],
    'config.env': [
      `PATH=${programFolder}:${postgresPath}:/usr/bin`,
      'NODE_ENV=production',
      'HOST=0.0.0.0',
      'DATA_DIR=/data',
    ],
    'config.entrypoint': [`${programFolder}/stena`],
    'config.volume': ['/data'],
    'config.workingdir': ['/data'],
    'config.stopsignal': ['SIGTERM'],
    'config.label': Object.entries({ title: 'stena', version, revision: commit, created, licenses: 'MIT' }).map(
      ([key, value]) => `org.opencontainers.image.${key}=${value}`,
    ),
  };
  const options = Object.entries(config).flatMap(([key, values]) => values.map((value) => `--${key}=${value}`));
  umoci('config', ...image, '--no-history', ...options);
  umoci('gc', '--layout', layout);
  nameForDocker(layout, version);
  archive(imageOf(release, platform), layout, ['blobs', 'index.json', 'manifest.json', 'oci-layout'], madeAt);
}

function umoci(...args) {
  execFileSync('umoci', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** `docker load` takes the name of the image from an annotation; before Docker 25, from a separate file. */
function nameForDocker(layout, version) {
  const fileOf = ({ digest }) => `blobs/${digest.replace(':', '/')}`;
  const read = (file) => JSON.parse(readFileSync(join(layout, file), 'utf8'));
  const write = (file, content) => writeFileSync(join(layout, file), JSON.stringify(content));
  const name = `stena:${version}`;
  const index = read('index.json');
  const [described] = index.manifests;
  described.annotations['io.containerd.image.name'] = name;
  write('index.json', index);
  const { config, layers } = read(fileOf(described));
  write('manifest.json', [{ Config: fileOf(config), RepoTags: [name], Layers: layers.map(fileOf) }]);
}

/** Makes the layer with Debian, a user without privileges and the folder of the data. */
function baseLayer(layout, { folder }, madeAt) {
  for (const name of [
    'boot',
    'home',
    'lib32',
    'libx32',
    'var/cache',
    'var/lib/apt',
    'etc/apt',
    'etc/hostname',
    'etc/resolv.conf',
  ]) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  writeFileSync(join(folder, 'etc/passwd'), `root:x:0:0::/root:/bin/sh\nstena:x:${user}:${user}::/data:/bin/sh\n`);
  writeFileSync(join(folder, 'etc/group'), `root:x:0:\nstena:x:${user}:\n`);
  const tar = `${layout}.base.tar`;
  archive(tar, folder, ['.'], madeAt, { options: ['--exclude=./dev/*', '--exclude=./tmp', '--exclude=./data'] });
  mkdirSync(join(folder, 'data'), { recursive: true });
  chmodSync(join(folder, 'data'), 0o700);
  archive(tar, folder, ['./data'], madeAt, { owner: user, append: true, options: ['--mode=0700'] });
  archive(tar, folder, ['./tmp'], madeAt, { append: true, options: ['--mode=1777', '--no-recursion'] });
  return tar;
}

function programLayer(layout, program, madeAt) {
  const tar = `${layout}.program.tar`;
  const options = [`--transform=s,^${basename(program)},${programFolder.slice(1)},S`];
  archive(tar, dirname(program), [basename(program)], madeAt, { options });
  return tar;
}
