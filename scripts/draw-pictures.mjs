import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureChromium } from './browsers.mjs';
import { favicon, faviconUnread, framed, fullBleed, icoOf, shortcut } from './pictures/icons.mjs';
import { sharePicture, size } from './pictures/share.mjs';
import { root } from './project.mjs';

const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] });
const page = await browser.newPage();

save('favicon.svg', `${favicon}\n`);
save('favicon-unread.svg', `${faviconUnread}\n`);
save('favicon.ico', icoOf(await draw(favicon, 32), 32));
save('apple-touch-icon.png', await draw(fullBleed, 180));
for (const side of [192, 512]) {
  save(`icon-${side}.png`, await draw(framed, side));
  save(`icon-maskable-${side}.png`, await draw(fullBleed, side));
}
for (const [name, icon] of Object.entries({ 'new-post': 'pencil', notifications: 'bell', search: 'search' })) {
  save(`shortcut-${name}.png`, await draw(shortcut(icon), 96));
}
save('share.png', await draw(sharePicture(), size.width, size.height));
await browser.close();

async function draw(svg, width, height = width) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  return page.screenshot({ omitBackground: true });
}

function save(name, content) {
  writeFileSync(join(root, 'web/public', name), content);
  console.log(`${name}: ${content.length} bytes`);
}
