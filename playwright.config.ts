import { defineConfig } from '@playwright/test';

const chromium = process.env['CHROMIUM'];

/** They measure time: one at a time, after the others. */
const timed = /\/(long-list|slow-phone|thread-long)\.spec\.ts$/;

export default defineConfig({
  testDir: 'test/e2e',
  forbidOnly: true,
  fullyParallel: true,
  timeout: 60_000,
  workers: 2,
  projects: [
    { name: 'app', testIgnore: timed },
    { name: 'timed', testMatch: timed, workers: 1 },
  ],
  expect: { timeout: 10_000 },
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
