import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, spawnHere, until } from './child.ts';
import { readsFonts } from '../support/firefox.ts';
import type { Driver } from './driver.ts';
import { type Send, WebDriver } from './web-driver.ts';

/** Port 0: Firefox picks a free port and writes it to a file. */
const preferences = Object.entries({ 'marionette.port': 0, ...readsFonts })
  .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
  .join('');

/** Drives Firefox over Marionette directly; geckodriver would only pass the WebDriver commands on. */
export async function startFirefox(program: string): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'stena-firefox-'));
  await writeFile(join(home, 'user.js'), preferences);
  const options = ['--marionette', '--remote-allow-system-access', '--headless', '--no-remote', '--profile', home];
  const firefox = spawnHere(program, [...options, 'about:blank'], { HOME: home });
  const port = await until(() => portIn(join(home, 'MarionetteActivePort')));
  const socket = connect(port, '127.0.0.1');
  const send = marionette(socket);
  const webDriver: Send = (command, params) => send(`WebDriver:${command}`, params);
  const driver = new WebDriver(webDriver, async () => {
    socket.destroy();
    await end(firefox);
    await rm(home, { recursive: true, maxRetries: 5 });
  });
  await driver.start({});
  return Object.assign(driver, {
    async blockCookies(isBlocked: boolean) {
      const script = isBlocked ? 'setIntPref(name, 2)' : 'clearUserPref(name)';
      await send('Marionette:SetContext', { value: 'chrome' });
      await webDriver('ExecuteScript', {
        script: `const name = 'network.cookie.cookieBehavior'; Services.prefs.${script}`,
        args: [],
      });
      await send('Marionette:SetContext', { value: 'content' });
    },
  });
}

function portIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Each message is JSON with a length prefix in bytes and a colon: request [0, id, command, params], response [1, id,
 * error, value] (https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html).
 */
function marionette(socket: Socket): (command: string, params: object) => Promise<unknown> {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let received = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const colon = received.indexOf(':');
      const whole = colon + 1 + Number(received.subarray(0, colon).toString());
      if (colon < 0 || received.length < whole) return;
      resolveReply(JSON.parse(received.subarray(colon + 1, whole).toString()));
      received = received.subarray(whole);
    }
  });

  // The greeting is an object, not an array.
  function resolveReply(message: unknown): void {
    if (!Array.isArray(message)) return;
    const [, id, error, value] = message as [1, number, { error: string; message: string } | null, unknown];
    const result = pending.get(id);
    pending.delete(id);
    if (error) result?.reject(new Error(`${error.error}: ${error.message}`));
    else result?.resolve(isValue(value) ? value.value : value);
  }

  let last = 0;
  return (command, params) => {
    const id = (last += 1);
    const result = Promise.withResolvers<unknown>();
    pending.set(id, result);
    const message = Buffer.from(JSON.stringify([0, id, command, params]));
    socket.write(Buffer.concat([Buffer.from(`${message.length}:`), message]));
    return result.promise;
  };
}

function isValue(result: unknown): result is { value: unknown } {
  return typeof result === 'object' && result !== null && 'value' in result;
}
