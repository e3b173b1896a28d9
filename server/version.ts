import { readFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };

/** The version of a release, with the commit where a checkout was built (`scripts/build-version.mjs`): 1.0.0+7a12a472. */
export const version = builtVersion() ?? packageJson.version;

function builtVersion(): string | undefined {
  try {
    return readFileSync(new URL('../dist/version', import.meta.url), 'utf8').trim();
  } catch {
    return undefined;
  }
}
