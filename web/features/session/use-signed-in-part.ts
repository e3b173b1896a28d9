import { type OnDemand, useOnDemand } from '../../lib/on-demand.ts';
import { useSessionState } from './session.ts';

/** A part that only signed-in people have, loaded once somebody is. */
export const useSignedInPart = <Part>(part: OnDemand<Part>) => useOnDemand(part, useSessionState().is === 'authorized');
