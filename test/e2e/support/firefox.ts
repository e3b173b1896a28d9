import { createRequire } from 'node:module';
import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';
import { type Command, adaptCommands, adaptScripts } from './firefox-commands.ts';

interface WebSocketClass {
  prototype: {
    send(message: string): void;
    emit(event: string, ...args: unknown[]): boolean;
  };
}

/** Options with which Playwright drives an ordinary Firefox, over WebDriver BiDi (docs/decisions/0069). */
export function useFirefox(executablePath: string): Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> {
  adaptMessages();
  const firefoxUserPrefs = {
    // Playwright’s default; what Firefox takes from the system may differ.
    'layout.css.prefers-color-scheme.content-override': 1,
    // The same as `grantPermissions` of tests.
    'dom.events.testing.asyncClipboard': true,
    // The same as `--host-resolver-rules` in Chromium.
    'network.dns.localDomains': 'wall.test',
  };
  return {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: { executablePath, firefoxUserPrefs },
  };
}

function adaptMessages(): void {
  const fromPlaywright = createRequire(createRequire(import.meta.url).resolve('@playwright/test'));
  const { ws } = fromPlaywright('playwright-core/lib/utilsBundle') as { ws: WebSocketClass };
  const { send, emit } = ws.prototype;
  const waiting: Command[] = [];
  ws.prototype.send = function (message) {
    if (waiting.push(JSON.parse(adaptScripts(message))) > 1) return;
    setImmediate(() => {
      for (const command of adaptCommands(waiting.splice(0))) send.call(this, JSON.stringify(command));
    });
  };
  ws.prototype.emit = function (event, ...args) {
    if (event === 'message') args[0] = withDownload(String(args[0]));
    return emit.call(this, event, ...args);
  };
}

/** Firefox names no navigation of a file that a script saves, and Playwright ignores downloads without one. */
function withDownload(message: string): string {
  if (!message.includes('"browsingContext.download')) return message;
  const event = JSON.parse(message) as Command;
  event.params['navigation'] ??= event.params['url'];
  return JSON.stringify(event);
}
