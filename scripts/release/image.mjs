import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from './checksums.mjs';
import { postgresPath } from './debian-base.mjs';
import { archive, compress } from './pack.mjs';

/** The user of the image, who owns /data. */
const user = 10_001;
const place = '/opt/stena';
const second = 1e9;

export const imageOf = ({ output, version }, { name }) => join(output, `stena-${version}-${name}.oci.tar`);

/**
 * The image in the layout of OCI, with the file that makes it loadable by older versions of Docker: JSON and layers, each
 * named after its SHA-256. Only the layer above Debian changes from release to release.
 */
export async function makeImage(release, platform, program, base) {
  const { version, madeAt, work } = release;
  const layout = join(work, `image-${platform.name}`);
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const layers = [await baseLayer(layout, base, madeAt), await programLayer(layout, program, madeAt)];
  const config = writeBlob(layout, configOf(release, platform, layers));
  const manifest = writeBlob(layout, {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: layers.map(({ digest, size }) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      digest,
      size,
    })),
  });
  writeJson(layout, 'oci-layout', { imageLayoutVersion: '1.0.0' });
  writeJson(layout, 'index.json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        ...manifest,
        platform: { architecture: platform.oci, os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': version, 'io.containerd.image.name': `stena:${version}` },
      },
    ],
  });
  const fileOf = ({ digest }) => `blobs/${digest.replace(':', '/')}`;
  const legacy = { Config: fileOf(config), RepoTags: [`stena:${version}`], Layers: layers.map(fileOf) };
  writeJson(layout, 'manifest.json', [legacy]);
  archive(imageOf(release, platform), layout, ['blobs', 'index.json', 'manifest.json', 'oci-layout'], madeAt);
}

/** Debian, a user without rights and the folder of the data. */
async function baseLayer(layout, { folder }, madeAt) {
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
  return layerOf(layout, tar);
}

async function programLayer(layout, program, madeAt) {
  const tar = `${layout}.program.tar`;
  const options = [`--transform=s,^${basename(program)},${place.slice(1)},S`];
  archive(tar, dirname(program), [basename(program)], madeAt, { options });
  return layerOf(layout, tar);
}

async function layerOf(layout, tar) {
  const content = sha256(readFileSync(tar));
  const compressed = `${tar}.gz`;
  await compress(tar, compressed);
  const blob = readFileSync(compressed);
  const digest = sha256(blob);
  renameSync(compressed, join(layout, 'blobs/sha256', digest));
  rmSync(tar);
  return { digest: `sha256:${digest}`, size: blob.length, content: `sha256:${content}` };
}

function configOf({ version, commit, madeAt }, { oci }, layers) {
  const created = new Date(madeAt * 1000).toISOString();
  return {
    created,
    architecture: oci,
    os: 'linux',
    config: {
      User: `${user}:${user}`,
      ExposedPorts: { '3000/tcp': {} },
      Env: [`PATH=${place}:${postgresPath}:/usr/bin`, 'NODE_ENV=production', 'HOST=0.0.0.0', 'DATA_DIR=/data'],
      Entrypoint: [`${place}/stena`],
      Volumes: { '/data': {} },
      WorkingDir: '/data',
      StopSignal: 'SIGTERM',
      // Not part of OCI: Docker reads it, others take the health check of compose.yaml.
      Healthcheck: {
        Test: ['CMD', `${place}/stena`, 'health'],
        Interval: 10 * second,
        Timeout: 5 * second,
        StartPeriod: 30 * second,
        Retries: 3,
      },
      Labels: {
        'org.opencontainers.image.title': 'stena',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': commit,
        'org.opencontainers.image.created': created,
        'org.opencontainers.image.licenses': 'MIT',
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ content }) => content) },
    history: [
      { created, created_by: 'Debian packages' },
      { created, created_by: `stena ${version}` },
    ],
  };
}

function writeBlob(layout, content) {
  const digest = sha256(JSON.stringify(content));
  const file = `blobs/sha256/${digest}`;
  writeJson(layout, file, content);
  return { digest: `sha256:${digest}`, size: statSync(join(layout, file)).size };
}

function writeJson(layout, name, content) {
  writeFileSync(join(layout, name), JSON.stringify(content));
}
