import type { BrokenRule } from './broken-rule.ts';
import { people } from './people.ts';

export const brokenRules: readonly BrokenRule[] = [...people];
