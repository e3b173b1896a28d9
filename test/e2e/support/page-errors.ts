import { type BrowserContext, expect } from '@playwright/test';

/** Collects all errors in the browser during a test. A test must declare the errors that it provokes. */
export class PageErrors {
  #seen: string[] = [];
  #expected: RegExp[] = [];
  /** A tab writes the reading position at any time, also right after its session was ended elsewhere. */
  #tolerated: RegExp[] = [/\b401\b.*\/users\/current\/reading/];
  #allowedOrigins: string[] = [];

  constructor(context: BrowserContext, isKnown: (origin: string) => boolean) {
    context.on('console', (message) =>
      this.#note(`console ${message.type()}: ${message.text()} ${message.location().url}`),
    );
    context.on('weberror', (error) => this.#note(`uncaught: ${error.error().stack}`));
    context.on('request', (request) => {
      const { origin, href } = new URL(request.url());
      if (!isKnown(origin) && !this.#allowedOrigins.includes(origin)) this.#note(`request to a third party: ${href}`);
    });
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // Leaving a page aborts its pending requests.
      if (reason !== 'net::ERR_ABORTED') this.#note(`failed: ${request.url()} ${reason}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 400) this.#note(`status ${response.status()}: ${response.url()}`);
    });
  }

  /** The test provokes errors that match, and fails without any. */
  expect(kind: RegExp): void {
    this.#expected.push(kind);
  }

  /** Errors that match may occur, depending on timing. */
  tolerate(kind: RegExp): void {
    this.#tolerated.push(kind);
  }

  /** Allows requests to another origin. */
  allow(origin: string): void {
    this.#allowedOrigins.push(origin);
  }

  check(): void {
    const known = [...this.#expected, ...this.#tolerated];
    const unexpected = this.#seen.filter((error) => !known.some((kind) => kind.test(error)));
    expect(unexpected, 'errors in the browser').toEqual([]);
    const missing = this.#expected.filter((kind) => !this.#seen.some((error) => kind.test(error)));
    expect(missing, 'errors declared by the test that did not occur').toEqual([]);
  }

  #note(error: string): void {
    this.#seen.push(error);
  }
}
