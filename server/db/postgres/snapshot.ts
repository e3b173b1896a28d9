/** A snapshot of PostgreSQL (`xmin:xmax:xip,…`): which transactions had ended when it was taken. */
export class Snapshot {
  #end: number;
  #running: ReadonlySet<number>;

  constructor(text: string) {
    const [, end, running] = text.split(':') as [string, string, string];
    this.#end = Number(end);
    this.#running = new Set(running === '' ? [] : running.split(',').map(Number));
  }

  /** Whether the transaction had ended. */
  contains(position: number): boolean {
    return position < this.#end && !this.#running.has(position);
  }
}
