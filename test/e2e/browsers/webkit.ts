import { createInterface } from 'node:readline';
import { freePort } from '../../kit/free-port.ts';
import { end, spawnHere, until } from './child.ts';
import type { Driver } from './driver.ts';
import { commands, type Send, WebDriver } from './web-driver.ts';

/** WebKitGTK has no headless mode; Xvfb provides a display. */
export async function startWebKit(program: string): Promise<Driver> {
  const screen = spawnHere('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp']);
  const { value: display } = await createInterface({ input: screen.stdout! })[Symbol.asyncIterator]().next();
  const port = await freePort();
  const webKit = spawnHere(program, [`--port=${port}`], {
    DISPLAY: `:${display}`,
    GDK_BACKEND: 'x11',
    // The WebKit sandbox does not work as root or in containers. The steps open only pages of this machine.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  });
  const address = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${address}/status`).catch(() => undefined)) && true);
  const driver = new WebDriver(overHttp(address), async () => {
    await end(webKit);
    await end(screen);
  });
  return driver.start({});
}

function overHttp(address: string): Send {
  let session = '';
  return async (command, params) => {
    const [method, path] = commands[command];
    const response = await fetch(address + session + path, { method, body: JSON.stringify(params) });
    const { value } = (await response.json()) as { value: { sessionId?: string; error?: string; message?: string } };
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    if (command === 'NewSession') session = `/session/${value.sessionId}`;
    return value;
  };
}
