import { defineConfig } from '@playwright/test';
import { useFirefox } from './support/firefox.ts';
import { notInFirefox } from './support/not-in-firefox.ts';

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  fullyParallel: true,
  // The driver is slower than Chromium's.
  timeout: 60_000,
  grepInvert: Object.values(notInFirefox).flat(),
  workers: 2,
  expect: { timeout: 10_000 },
  use: { locale: 'ru-RU', timezoneId: 'Europe/Moscow', ...useFirefox(process.env['FIREFOX']!) },
});
