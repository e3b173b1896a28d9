import { type BrowserContext, expect } from '@playwright/test';

/** Whatever goes wrong in a browser while a test runs; what a test provokes it must announce. */
export class Mishaps {
  #seen: string[] = [];
  #expected: RegExp[] = [];
  #friends: string[] = [];

  constructor(context: BrowserContext, isOurs: (origin: string) => boolean) {
    context.on('console', (message) =>
      this.#note(`console ${message.type()}: ${message.text()} ${message.location().url}`),
    );
    context.on('weberror', (error) => this.#note(`uncaught: ${error.error().stack}`));
    context.on('request', (request) => {
      const { origin, href } = new URL(request.url());
      if (!isOurs(origin) && !this.#friends.includes(origin)) this.#note(`request to a third party: ${href}`);
    });
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // Leaving a page ends what it was loading.
      if (reason !== 'net::ERR_ABORTED') this.#note(`failed: ${request.url()} ${reason}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 400) this.#note(`answered ${response.status()}: ${response.url()}`);
    });
  }

  /** Mishaps of this kind belong to the test, which fails without any. */
  expect(kind: RegExp): void {
    this.#expected.push(kind);
  }

  /** This test has to do with an origin other than the wall. */
  allow(origin: string): void {
    this.#friends.push(origin);
  }

  check(): void {
    const unexpected = this.#seen.filter((mishap) => !this.#expected.some((kind) => kind.test(mishap)));
    expect(unexpected, 'mishaps in the browser').toEqual([]);
    const missing = this.#expected.filter((kind) => !this.#seen.some((mishap) => kind.test(mishap)));
    expect(missing, 'mishaps that the test announced').toEqual([]);
  }

  #note(mishap: string): void {
    this.#seen.push(mishap);
  }
}
