/** The queries of a transaction that have been started and are awaited only at its end. */
export class SentQueries {
  #queries: Array<Promise<unknown>> = [];

  readonly add = (...queries: Array<Promise<unknown>>): void => {
    // A failure is reported by `succeeded`, which is not called when the transaction is refused before.
    for (const query of queries) query.catch(() => {});
    this.#queries.push(...queries);
  };

  async succeeded(): Promise<void> {
    await Promise.all(this.#queries);
  }
}
