import { type BrowserContext, expect, test as base } from '@playwright/test';
import { type MailServer, startMailServer } from '../../kit/smtp.ts';
import { type PopulatedWall, openPopulatedWall } from './populated-wall.ts';
import { openWall, type Settings, type Wall } from './wall.ts';

interface PerTest {
  /** Settings of the server behind `ownWall`. */
  settings: Settings;
  /** An empty wall for this test alone. */
  ownWall: Wall;
  pageErrors: PageErrors;
  /** The servers that this test may contact. */
  walls: Wall[];
}

interface PerWorker {
  /** Receives the mail of all walls. */
  mail: MailServer;
  /** Shared by the tests, which must not write to it; the base of relative URLs. */
  wall: PopulatedWall;
}

export { expect };

/** Rarely broken: `npm test` leaves such a test out, `npm run test:all` runs it. */
export const nightly = { tag: '@nightly' };

export const test = base.extend<PerTest, PerWorker>({
  mail: [
    async ({ browserName: _ }, use) => {
      const mail = await startMailServer();
      await use(mail);
      await mail.close();
    },
    { scope: 'worker' },
  ],
  wall: [
    async ({ mail }, use) => {
      const wall = await openPopulatedWall({ SMTP_URL: mail.url });
      await use(wall);
      await wall.close();
    },
    // It has a timeout of its own, which does not count against the first test of a worker.
    { scope: 'worker', timeout: 300_000 },
  ],
  settings: [{}, { option: true }],
  baseURL: ({ wall }, use) => use(wall.url),
  walls: async ({ wall }, use) => {
    const walls: Wall[] = [wall];
    await use(walls);
    for (const own of walls.slice(1)) await own.close();
  },
  // Fixtures listed first are torn down last: the browser may still send requests to the walls.
  context: ({ walls: _, context }, use) => use(context),
  ownWall: async ({ walls, mail, settings }, use) => {
    const wall = await openWall({ SMTP_URL: mail.url, ...settings });
    walls.push(wall);
    await use(wall);
  },
  pageErrors: [
    async ({ context, walls }, use) => {
      const pageErrors = new PageErrors(context, (origin) => walls.some(({ url }) => url === origin));
      await use(pageErrors);
      // A handler that is still running would fail the test at its end.
      await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      await pageErrors.check();
    },
    { auto: true },
  ],
});

/** Firefox’s names of failures, as Chromium names them. */
const namesInFirefox: Record<string, string> = {
  NS_BINDING_ABORTED: 'net::ERR_ABORTED',
  // Firefox reports this for each request that a test aborts, whichever error the test chose, and for some requests of a page that is left.
  NS_ERROR_ABORT: 'NS_ERROR_ABORT net::ERR_FAILED net::ERR_CONNECTION_RESET net::ERR_BLOCKED_BY_CLIENT',
  NS_ERROR_CONNECTION_REFUSED: 'net::ERR_CONNECTION_REFUSED',
  NS_ERROR_CSP_FRAME_ANCESTOR_VIOLATION: 'net::ERR_BLOCKED_BY_RESPONSE',
  NS_ERROR_DOM_BAD_URI: 'net::ERR_BLOCKED_BY_RESPONSE',
  NS_ERROR_DOM_CORP_FAILED: 'net::ERR_BLOCKED_BY_RESPONSE',
  NS_ERROR_NET_PARTIAL_TRANSFER: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING',
  NS_ERROR_NET_RESET: 'net::ERR_CONNECTION_RESET',
  NS_ERROR_OFFLINE: 'net::ERR_INTERNET_DISCONNECTED',
};

/** Collects all errors in the browser during a test. A test must declare the errors that it provokes. */
class PageErrors {
  #seen: string[] = [];
  #expected: RegExp[] = [];
  #tolerated: RegExp[] = [
    // A tab writes the reading position at any time, also right after its session was ended elsewhere.
    /\b401\b.*\/users\/current\/reading/,
    /NS_ERROR_ABORT/,
    // In Firefox the requests and imports of a page that is left fail with these messages. Chromium has other messages for failures.
    /error loading dynamically imported module|NetworkError when attempting to fetch resource/,
    // Firefox reports this about an event stream besides the failed request.
    /can’t establish a connection to the server at .*\/events/,
  ];
  #allowedOrigins: string[] = [];

  constructor(context: BrowserContext, isKnown: (origin: string) => boolean) {
    context.on('console', (message) =>
      this.#note(`console ${message.type()}: ${message.text()} ${message.location().url}`),
    );
    context.on('weberror', (error) => this.#note(`uncaught: ${error.error().stack}`));
    context.on('request', (request) => {
      const { origin, href, protocol } = new URL(request.url());
      if (protocol === 'file:' && request.isNavigationRequest()) return;
      if (!isKnown(origin) && !this.#allowedOrigins.includes(origin)) this.#note(`request to a third party: ${href}`);
    });
    context.on('requestfailed', (request) => {
      const { errorText = '' } = request.failure() ?? {};
      const reason = namesInFirefox[errorText] ?? errorText;
      // Leaving a page aborts its pending requests.
      if (reason !== 'net::ERR_ABORTED') this.#note(`failed: ${request.url()} ${reason}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 400) this.#note(`status ${response.status()}: ${response.url()}`);
    });
  }

  /** The test provokes errors of each of these kinds, and fails without any. */
  expect(...kinds: RegExp[]): void {
    this.#expected.push(...kinds);
  }

  /** Errors that match may occur, depending on timing. */
  tolerate(kind: RegExp): void {
    this.#tolerated.push(kind);
  }

  /** Allows requests to another origin. */
  allow(origin: string): void {
    this.#allowedOrigins.push(origin);
  }

  async check(): Promise<void> {
    // A declared error may occur after the last assertion of the test.
    const missing = () => this.#expected.filter((kind) => !this.#seen.some((error) => kind.test(error)));
    await expect.poll(missing, 'errors declared by the test that did not occur').toEqual([]);
    const known = [...this.#expected, ...this.#tolerated];
    const unexpected = this.#seen.filter((error) => !known.some((kind) => kind.test(error)));
    expect(unexpected, 'errors in the browser').toEqual([]);
  }

  #note(error: string): void {
    this.#seen.push(error);
  }
}
