import type { Replica, ReplicaVitals } from '../database.ts';
import type { LogPositions } from './log-positions.ts';
import { Standby } from './standby.ts';

/** The standbys of DATABASE_READ_URL, used in turn. */
export class Replicas {
  #standbys: Standby[];
  #next = 0;

  constructor(urls: readonly string[], positions: LogPositions, onError: (error: Error) => void) {
    this.#standbys = urls.map((url) => new Standby(url, positions, onError));
  }

  pick(isPrimaryAway: boolean): Replica | undefined {
    for (const _ of this.#standbys) {
      this.#next = (this.#next + 1) % this.#standbys.length;
      const found = this.#standbys[this.#next]!.usable(isPrimaryAway);
      if (found) return found;
    }
    return undefined;
  }

  vitals(): ReplicaVitals[] {
    return this.#standbys.map((standby) => {
      const found = standby.usable();
      const lagSeconds = found && (performance.now() - found.asOf) / 1_000;
      return { name: standby.name, isUsed: found !== undefined, lagSeconds };
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#standbys.map((standby) => standby.close()));
  }
}
