import { join } from 'node:path';
import { root } from './project.mjs';

/** Environment of the browsers in tests: they see the fonts of node_modules, whatever the machine has. */
export const testFonts = { FONTCONFIG_FILE: join(root, 'test/e2e/fonts.conf') };
