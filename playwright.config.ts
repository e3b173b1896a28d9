import { defineConfig } from '@playwright/test';

const chromium = process.env['CHROMIUM'];

export default defineConfig({
  testDir: 'test/e2e',
  forbidOnly: true,
  fullyParallel: true,
  // Node runs TypeScript itself, and caches the compiled code. Playwright would translate every file with Babel.
  build: { external: ['**/*'] },
  // These limits only end what hangs: on a busy machine a test may take minutes.
  timeout: 300_000,
  // `npm test -- gallery` wants the pictures.
  ...(process.env['PICTURES'] === undefined && { grepInvert: /@pictures/ }),
  workers: 3,
  expect: { timeout: 30_000 },
  use: {
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
