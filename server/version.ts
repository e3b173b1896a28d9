import { readFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };

/** The version, for example 1.0.0. A build from a checkout adds the commit: 1.0.0+7a12a472 (`scripts/build-version.mjs`). */
export const version = builtVersion() ?? packageJson.version;

function builtVersion(): string | undefined {
  try {
    return readFileSync(new URL('../dist/version', import.meta.url), 'utf8').trim();
  } catch {
    return undefined;
  }
}
