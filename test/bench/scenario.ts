import type { Figure } from '../measurements/report.ts';
import type { Servers } from '../measurements/servers.ts';

export interface Bench {
  servers: Servers;
  /** Length of one round. */
  seconds: number;
  /** Size of a large wall, in demo walls. */
  copies: number;
}

export interface Scenario {
  /** Value of `--only`. */
  name: string;
  measure(bench: Bench): Promise<Figure[]>;
}
