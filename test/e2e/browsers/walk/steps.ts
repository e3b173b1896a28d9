import { controls } from './controls.ts';
import { faults } from './faults.ts';
import { ownPages } from './own-pages.ts';
import { reading } from './reading.ts';
import { signingIn } from './signing-in.ts';
import type { WalkStep } from './walk.ts';
import { writing } from './writing.ts';

/** The order of execution. */
export const steps: readonly WalkStep[] = [...faults, ...reading, ...controls, ...signingIn, ...writing, ...ownPages];
