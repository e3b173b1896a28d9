import type { Figure } from '../../bench/scenario.ts';

/** Notes what was looked at, and what was not as it should be. */
export class Held {
  #looked = 0;
  #wrong: string[] = [];

  /** `found` and what it should be, as they are written in JSON. */
  expect(what: string, found: unknown, wanted: unknown): void {
    this.#looked += 1;
    const [is, shouldBe] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (is !== shouldBe) this.#wrong.push(`${what}: ${is} instead of ${shouldBe}`);
  }

  figure(what: string, detail: string): Figure {
    return {
      what,
      measured: `${this.#wrong.length} wrong`,
      target: `0 of ${this.#looked}`,
      ok: this.#looked > 0 && this.#wrong.length === 0,
      detail: this.#wrong.length > 0 ? this.#wrong.join('; ') : detail,
    };
  }
}
