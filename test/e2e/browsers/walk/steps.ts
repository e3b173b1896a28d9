import { comingBack } from './coming-back.ts';
import { controls } from './controls.ts';
import { desk } from './desk.ts';
import { discussion } from './discussion.ts';
import { faults } from './faults.ts';
import { notifications } from './notifications.ts';
import { ownPages } from './own-pages.ts';
import { reading } from './reading.ts';
import { searching } from './searching.ts';
import { signingIn } from './signing-in.ts';
import type { WalkStep } from './walk.ts';
import { writing } from './writing.ts';

/** The order of execution. */
export const steps: readonly WalkStep[] = [
  ...faults,
  ...reading,
  ...discussion,
  ...comingBack,
  ...searching,
  ...controls,
  ...signingIn,
  ...writing,
  ...notifications,
  ...desk,
  ...ownPages,
];
