import type { Servers } from './servers/servers.ts';

/** One line of the result. */
export interface Figure {
  what: string;
  measured: string;
  /** Empty: only to be known. */
  target: string;
  ok: boolean;
  /** What the figure was made from. */
  detail: string;
}

export interface Bench {
  servers: Servers;
  /** The length of one round. */
  seconds: number;
}

export interface Scenario {
  /** As `--only` takes it. */
  name: string;
  measure(bench: Bench): Promise<Figure[]>;
}
