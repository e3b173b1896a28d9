/** A position in the primary's log, and the writes that are known to be before it. */
interface LogPosition {
  /** Position in bytes. */
  lsn: number;
  /** Everything emitted to listeners up to this number is before `lsn`. */
  upTo: number;
  /** The latest time at which the primary's log ended here, in milliseconds. */
  asOf: number;
}

/** The log to which a position belongs. Each cluster has a log of its own, and a fail-over begins a new timeline. */
export interface LogIdentity {
  system: string;
  timeline: string;
}

/** A replica that is further behind than this many positions of different writes is not used. */
const maxPositions = 128;

/** Finds the published writes that a replica contains, from the position up to which it has replayed the log. */
export class LogPositions {
  #identity: LogIdentity | undefined;
  /** In rising order. */
  #positions: LogPosition[] = [];

  add(identity: LogIdentity, position: LogPosition): void {
    if (!this.isOf(identity)) this.#positions = [];
    this.#identity = identity;
    const last = this.#positions.at(-1);
    // Without writes the position stays the same, and only its time is updated.
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
