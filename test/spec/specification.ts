import type { Line } from './line.ts';
import { calls, constants, errors } from './lines/calls.ts';
import { purpose, screens } from './lines/screens.ts';
import { entities, roles, states, validation } from './lines/states.ts';

/** The whole specification, line by line. */
export const specification = {
  ...purpose,
  ...screens,
  ...entities,
  ...states,
  ...validation,
  ...roles,
  ...calls,
  ...errors,
  ...constants,
};

export type LineId = keyof typeof specification;

export const lineOf = (id: LineId): Line => specification[id];
