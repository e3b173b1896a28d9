import type { BrokenRule } from './broken-rule.ts';
import { people } from './people.ts';
import { processes } from './processes.ts';

export const brokenRules: readonly BrokenRule[] = [...people, ...processes];
