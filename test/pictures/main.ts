import { chromium } from '@playwright/test';
import { makeFilm } from './film.ts';
import { takeScreenshots } from './screenshots.ts';

const executablePath = process.env['CHROMIUM'];
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
const only = process.argv[2];
if (only !== 'film') await takeScreenshots(browser);
if (only !== 'screenshots') await makeFilm(browser);
await browser.close();
