import { defineConfig } from '@playwright/test';
import { useFirefox } from './support/firefox.ts';

/** Tests that the driver cannot perform, by what it lacks (docs/decisions/0025): parts of their files and titles. */
const notInFirefox: Record<string, RegExp[]> = {
  'a page without JavaScript': [/\.ts without JavaScript /],
  'print, forced colours, more contrast, reduced motion': [
    /forced colours, more contrast and reduced motion are respected/,
    /a post is printed black on white/,
    /on paper and at a zoom of 400 %/,
    /is shown with all its parts, also on paper/,
  ],
  'CDP: a slow processor, scrolling by gesture, layouts of the keyboard, insets of the screen': [
    /is readable within \d+ ms/,
    /a tap gets a response within/,
    /posts are scrolled and liked with little/,
    /1,000 replies are scrolled without long frames/,
    /shortcuts use the position of the key, regardless of the layout/,
    /with rounded corners and system bars/,
  ],
  'the bodies of requests': [
    /registration starts only with a consent/,
    /a notification less than half visible stays unread/,
  ],
  'the end of a request that is held back and given up': [/a slow check shows progress and is cancelled/],
  'sizes without what comes from the cache': [/reading the feed transfers few bytes/],
  'taps of a finger': [/the first field accepts input while/, /a tap before hydration is handled afterwards/],
};

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
