import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';

interface WebSocketClass {
  prototype: {
    send(message: string): void;
    emit(event: string, ...args: unknown[]): boolean;
  };
}

/**
 * Lets the processes of Firefox’s pages read the fonts of `test/e2e/fonts.conf`. Without them each letter is a box with its number,
 * which is wider than any letter.
 */
export const readsFonts = {
  'security.sandbox.content.read_path_whitelist': join(
    import.meta.dirname,
    '../../../node_modules/dejavu-fonts-ttf/ttf/',
  ),
};

/** Options with which Playwright drives an ordinary Firefox, over WebDriver BiDi (docs/decisions/0025). */
export function useFirefox(executablePath: string): Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> {
  adaptMessages();
  const firefoxUserPrefs = {
    ...readsFonts,
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

/** A message of WebDriver BiDi. */
interface Command {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

/** The commands sent to Firefox in place of those that Playwright 1.65 has sent together. */
const adaptCommands = (commands: Command[]): Command[] => withDoubleClicks(commands).flatMap(adaptCommand);

function adaptCommand(command: Command): Command[] {
  if (unknown.includes(command.method)) return [acknowledged(command)];
  if (command.method === 'input.performActions') return adaptInput(command);
  return [command];
}

/** Firefox 153 lacks the first command. It knows no permission for the clipboard, which a preference opens to pages. */
const unknown = ['emulation.setMediaFeaturesOverride', 'permissions.setPermission'];

/** A harmless command in place of one that Firefox does not know or that another command contains. */
const acknowledged = ({ id }: Command): Command => ({ id, method: 'session.status', params: {} });

/** Scripts that Playwright runs in the page, in the text of a message. */
const adaptScripts = (message: string): string => withUsualScroll(withRealInput(message));

/** Playwright sets `value` from inside the page, where React takes that for its own change and ignores the event. */
const withRealInput = (message: string): string =>
  message.replaceAll('window.__pw_bidiInsertText(', "document.execCommand('insertText', false, ");

/** Playwright scrolls whatever it clicks to the middle of the window. In Chromium it does so only with what is out of sight. */
function withUsualScroll(message: string): string {
  const inJson = JSON.stringify(`(${String(scrollIfOutOfSight)})(node, {\n`).slice(1, -1);
  return message.replace(String.raw`node.scrollIntoView({\n`, () => inJson);
}

function scrollIfOutOfSight(element: Element, options: ScrollIntoViewOptions): void {
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) element.scrollIntoView(options);
}

/** A person who uses a window brings it to the front. Only there are its elements focused. */
function adaptInput(command: Command): Command[] {
  const { context } = command.params;
  return [{ id: 0, method: 'browsingContext.activate', params: { context } }, command];
}

/** Playwright sends each press and release alone. In Firefox a double click is one command. */
function withDoubleClicks(commands: Command[]): Command[] {
  const moves = commands.map(moveOfMouse);
  const second = moves.findIndex((_, at) => moves.slice(at, at + 3).join() === 'pointerUp,pointerDown,pointerUp');
  if (second < 0) return commands;
  const [up, ...rest] = commands.slice(second, second + 3) as [Command, Command, Command];
  const presses = [up, ...rest].flatMap((command) => sourcesOf(command)[0]!.actions);
  // Clicks are counted from the second action of a command.
  const actions = [{ ...sourcesOf(up)[0], actions: [{ type: 'pause' }, ...presses] }];
  const whole = { ...up, params: { ...up.params, actions } };
  return commands.toSpliced(second, 3, whole, ...rest.map(acknowledged));
}

interface Source {
  id: string;
  actions: { type: string }[];
}

const sourcesOf = ({ params }: Command): Source[] => params['actions'] as Source[];

function moveOfMouse(command: Command): string | undefined {
  return command.method === 'input.performActions' ? sourcesOf(command)[0]?.actions[0]?.type : undefined;
}
