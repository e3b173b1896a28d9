/** A moment of the primary and what was known then. */
interface LogPosition {
  /** In the primary's log, bytes. */
  lsn: number;
  /** Everything emitted to listeners up to this number is before `lsn`. */
  upTo: number;
  /** Latest moment at which this held, ms. */
  asOf: number;
}

/** The log that a position is in: another cluster has another log, and a fail-over begins one. */
export interface LogIdentity {
  system: string;
  timeline: string;
}

/** A replica that is further behind than this many positions of different writes is not used. */
const maxPositions = 128;

/** Finds which published writes a replica contains, from the place up to which it has replayed the log. */
export class LogPositions {
  #identity: LogIdentity | undefined;
  /** Newest last. */
  #positions: LogPosition[] = [];

  add(identity: LogIdentity, position: LogPosition): void {
    if (!this.isOf(identity)) this.#positions = [];
    this.#identity = identity;
    const last = this.#positions.at(-1);
    // A quiet wall stays at one position.
    if (last?.lsn === position.lsn && last.upTo === position.upTo) this.#positions.pop();
    this.#positions.push(position);
    if (this.#positions.length > maxPositions) this.#positions.shift();
  }

  /** Whether the positions are of this log. */
  isOf({ system, timeline }: LogIdentity): boolean {
    return this.#identity?.system === system && this.#identity.timeline === timeline;
  }

  /** Whether the positions are of this log, or of one that it continues after a fail-over. */
  leadTo({ system, timeline }: LogIdentity): boolean {
    return this.#identity?.system === system && this.#identity.timeline <= timeline;
  }

  isForeign({ system }: LogIdentity): boolean {
    return this.#identity !== undefined && this.#identity.system !== system;
  }

  /** The newest position at or before `replayed`. */
  reachedBy(replayed: number): LogPosition | undefined {
    return this.#positions.findLast(({ lsn }) => lsn <= replayed);
  }
}
