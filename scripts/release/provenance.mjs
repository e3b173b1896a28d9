import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.mjs';
import { sha256 } from './checksums.mjs';

/**
 * Writes the provenance of a release: an in-toto statement in the format of SLSA (https://slsa.dev/spec/v1.0/provenance) that
 * lists its files and what they were built from. It names neither a time nor a machine, so the file is the same in each build of
 * a commit.
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
          // It names each package of npm, Node.js among them, with its checksum.
          { name: 'package-lock.json', digest: digestOf(join(root, 'package-lock.json')) },
          ...[...new Set(debs)].toSorted((a, b) => (a < b ? -1 : 1)).map((name) => ({ name })),
        ],
      },
      runDetails: { builder: { id: 'urn:stena:scripts/release.mjs' } },
    },
  };
  writeFileSync(join(output, `stena-${version}.provenance.json`), `${JSON.stringify(statement, undefined, 2)}\n`);
}
