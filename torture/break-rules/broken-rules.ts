import type { BrokenRule } from './broken-rule.ts';
import { codes } from './codes.ts';
import { door } from './door.ts';
import { input } from './input.ts';
import { largeLists } from './large-lists.ts';
import { people } from './people.ts';
import { processes } from './processes.ts';
import { sessions } from './sessions.ts';
import { storage } from './storage.ts';
import { operations } from './operations.ts';
import { abuse } from './abuse.ts';
import { accounts } from './accounts.ts';
import { browsers } from './browsers.ts';
import { navigation } from './navigation.ts';

export const brokenRules: readonly BrokenRule[] = [
  ...people,
  ...processes,
  ...door,
  ...sessions,
  ...input,
  ...storage,
  ...codes,
  ...largeLists,
  ...operations,
  ...abuse,
  ...accounts,
  ...browsers,
  ...navigation,
];
