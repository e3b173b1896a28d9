import type { Endpoint, EndpointCall } from '../endpoint.ts';

/** An example of a call: what is sent, without the optional parts that it does not show, and the reply. */
type Example<Call extends EndpointCall> = { [Part in Exclude<keyof Call, 'headers'>]: Call[Part] };

/** An example for each call of a module of the contract. */
export type ExamplesOf<Module> = {
  [Name in keyof Module as Module[Name] extends Endpoint ? Name : never]: Module[Name] extends Endpoint<infer Call>
    ? Example<Call>
    : never;
};
