import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.mjs';
import { sha256 } from './checksums.mjs';

/**
 * Writes what the files of a release were made from, as an in-toto statement with SLSA provenance
 * (https://slsa.dev/spec/v1.0/provenance). It contains no time and no machine, so that whoever makes the release again gets the
 * same bytes.
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
