import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostEnv, pinnedNode, root } from '../project.mjs';
import { sha256 } from './signature.mjs';
import { nodeOf, readJson } from './program.mjs';

/**
 * Writes the provenance of a release: an in-toto statement in the format of SLSA (https://slsa.dev/spec/v1.0/provenance) that
 * lists the files and the sources from which they were built. It contains no time and no machine, so all builds of a commit have
 * the same file.
 */
export function writeProvenance({ output, version, commit }, debs) {
  const digestOf = (file) => ({ sha256: sha256(readFileSync(file)) });
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: readdirSync(output)
      .toSorted()
      .map((name) => ({ name, digest: digestOf(join(output, name)) })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:stena:npm-run-release:1',
        externalParameters: { version },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          // This file lists each npm package, including Node.js, with its checksum.
          { name: 'package-lock.json', digest: digestOf(join(root, 'package-lock.json')) },
          ...[...new Set(debs)].toSorted((a, b) => (a < b ? -1 : 1)).map((name) => ({ name })),
        ],
      },
      runDetails: { builder: { id: 'urn:stena:scripts/release.mjs' } },
    },
  };
  writeFileSync(join(output, `stena-${version}.provenance.json`), `${JSON.stringify(statement, undefined, 2)}\n`);
}

/** Entries of process.versions that are versions of an interface or of data, not of a library. */
const interfaces = ['modules', 'napi', 'node', 'tz', 'unicode', 'cldr'];

/** Writes the contents of a program and of its image, each as CycloneDX. */
export function writeSboms(release, platform, folder, { debs }) {
  const program = bomOf(release, platform, folder, debs);
  write(release, `${platform.name}.cdx.json`, program);
  const system = debs.filter((name) => !isLibatomic(name)).map(debianComponent);
  const components = [...program.components, ...system].toSorted(byRef);
  write(release, `${platform.name}.oci.cdx.json`, { ...program, components });
}

/**
 * npm lists the packages with their licences and dependencies. This adds what npm does not know: that one package is Node.js, the
 * libraries in Node.js, the library from Debian, and the checksums. It replaces the current time and the random number of npm.
 */
function bomOf({ version, commit, madeAt }, { name }, folder, debs) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--loglevel=error'];
  const bom = JSON.parse(execFileSync('npm', args, { cwd: folder, env: hostEnv, encoding: 'utf8' }));
  const installed = readJson(join(folder, 'node_modules/.package-lock.json')).packages;
  const node = nodeOf(folder);
  const components = bom.components.map((component) =>
    component.name === node ? nodeComponent(component, folder, node) : withHash(component, installed),
  );
  components.push(debianComponent(debs.find(isLibatomic)));
  const { component } = bom.metadata;
  return {
    ...bom,
    serialNumber: `urn:uuid:${uuidOf(`${version} ${commit} ${name}`)}`,
    metadata: {
      ...bom.metadata,
      timestamp: new Date(madeAt * 1000).toISOString(),
      component: { ...component, type: 'application', name: 'stena', purl: `pkg:generic/stena@${version}` },
    },
    components: components.toSorted(byRef),
  };
}

function nodeComponent(component, folder, node) {
  const { version } = component;
  // The pinned Node of this machine has the same version, and the one for another machine does not run here.
  const versions = JSON.parse(
    execFileSync(pinnedNode, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }),
  );
  if (versions.node !== version) throw new Error(`The pinned Node is ${versions.node}, the shipped one ${version}.`);
  return {
    'bom-ref': component['bom-ref'],
    type: 'platform',
    name: 'node',
    version,
    scope: 'required',
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    hashes: [{ alg: 'SHA-256', content: sha256(readFileSync(join(folder, 'node_modules', node, 'bin/node'))) }],
    licenses: [{ license: { id: 'MIT' } }],
    properties: [{ name: 'cdx:npm:package:path', value: `node_modules/${node}` }],
    components: Object.entries(versions)
      .filter(([library]) => !interfaces.includes(library))
      .map(([library, each]) => ({
        'bom-ref': `node:${library}@${each}`,
        type: 'library',
        name: library,
        version: each,
      })),
  };
}

function withHash(component, installed) {
  const path = component.properties?.find(({ name }) => name === 'cdx:npm:package:path')?.value;
  const found =
    installed[path] ??
    Object.entries(installed).find(
      ([key, { version }]) => key.endsWith(`node_modules/${component.name}`) && version === component.version,
    )?.[1];
  const [algorithm, content] = found?.integrity?.split('-') ?? [];
  if (algorithm !== 'sha512') throw new Error(`${component.name} has no SHA-512 in the lockfile.`);
  return { ...component, hashes: [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }] };
}

const isLibatomic = (name) => name.startsWith('libatomic1_');

/** A package of Debian by the name of its file, in which %3a is the colon of an epoch. */
function debianComponent(file) {
  const [name, version, architecture] = decodeURIComponent(file.replace(/\.deb$/, '')).split('_');
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { 'bom-ref': purl, type: 'library', name, version, scope: 'required', purl };
}

const byRef = (a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1);

const uuidOf = (text) => sha256(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');

function write({ output, version }, ending, bom) {
  writeFileSync(join(output, `stena-${version}-${ending}`), `${JSON.stringify(bom, undefined, 2)}\n`);
}
