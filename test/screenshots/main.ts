import { chromium } from '@playwright/test';
import { takeScreenshots } from './take.ts';

const executablePath = process.env['CHROMIUM'];
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
await takeScreenshots(browser);
await browser.close();
