import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoryBrowser } from '../../kit/journeys/text-browser.ts';
import { end, spawnHere, until } from './child.ts';
import type { NetworkProxy } from './network-proxy.ts';

/** The keys for what a person does. The program reads a key when it has carried out the one before. */
interface Program {
  command: string;
  /** Lynx reads its keys from a script, since it discards what is typed while a page loads. */
  scriptOf?: (keys: string) => string;
  /** Writes the page as it is shown to the file `shown`. */
  save: string;
  /** `isHere`: the page with this address is shown. */
  open(url: string, isHere: boolean): string;
  follow(link: string): string;
  /** Follows a link to a file and saves it as `saved`. */
  download(link: string): string;
  send(button: string, values: Readonly<Record<string, string | true>>, after: string): string;
}

interface Place {
  home: string;
  shown: string;
  saved: string;
  /** The page as it was shown last. */
  text(): string;
}

/** Links and fields have numbers; `g` after a number goes there. */
function lynx(program: string, { home, shown, saved, text }: Place): Program {
  const settings = join(home, 'lynx.cfg');
  const lines = [
    'CHARACTER_SET:utf-8',
    'DEFAULT_KEYPAD_MODE:LINKS_AND_FIELDS_ARE_NUMBERED',
    'TEXTFIELDS_NEED_ACTIVATION:TRUE',
    'ACCEPT_ALL_COOKIES:TRUE',
    'INFOSECS:0',
    'MESSAGESECS:0',
    'ALERTSECS:0',
    `PRINTER:test:mv %s ${shown}:FALSE`,
  ];
  writeFileSync(settings, lines.join('\n'));
  const numberIn = (part: string, pattern: string, which = -1): string => {
    const number = [...part.matchAll(RegExp(pattern, 'g'))].at(which)?.[1];
    if (number === undefined) throw new Error(`${pattern} not in ${text()}`);
    return number;
  };
  const press = (number: string) => `${number}g\r\r`;
  return {
    command: `${program} -cfg=${settings} -cmd_script=${join(home, 'keys')}`,
    scriptOf: (keys) => Array.from(Buffer.from(keys), (code) => `key 0x${code.toString(16)}\n`).join(''),
    // `PRINTER` is the fifth choice.
    save: 'p5\r',
    // `g` with the address of the shown page would not request it again, so it is reloaded with Ctrl+R.
    open: (url, isHere) => (isHere ? '\x12' : `g\x15${url}\r`),
    follow: (link) => press(numberIn(text(), `\\[(\\d+)\\]${link}`, 0)),
    download: (link) => `${press(numberIn(text(), `\\[(\\d+)\\]${link}`))}d2\r\x15${saved}\r`,
    send(button, values, after) {
      const from = text().indexOf(after);
      // What stands before the name is `BUTTON` or the value of the button.
      const pressed = `[^()\\n]*\\) ${button}`;
      const [before = ''] = text()
        .slice(from)
        .split(RegExp(`(?<=\\) ${button})\\n`));
      const above = text().slice(0, from) + before;
      const filled = Object.entries(values).map(([label, value]) =>
        value === true
          ? press(numberIn(above, `\\[(\\d+)\\][([].[)\\]] ${label}\\n`))
          : `${press(numberIn(above, `${label}\\s+\\[(\\d+)\\]`))}\x15${value}\t`,
      );
      return filled.join('') + press(numberIn(above, `\\[(\\d+)\\]${pressed}$`));
    },
  };
}

/** The search goes to a text, Tab to the next link or field. */
function w3m(program: string, { home, shown, saved, text }: Place): Program {
  const typed = join(home, 'typed');
  // A space may be one that does not break.
  const loose = (words: string) => words.replaceAll(' ', '.');
  const find = (words: string, end = '') => `/${loose(words)}${end}\r`;
  const clear = '\x01\x0b';
  return {
    command: `${program} -cookie -o ignorecase_search=0 -o "editor=cp ${typed} %s"`,
    save: `S|cat >${shown}.part; mv ${shown}.part ${shown}\r`,
    open: (url) => `U${clear}${url}\r`,
    follow: (link) => `g${find(link)}\r`,
    download: (link) => `g${find(link)}\r${clear}${saved}\r`,
    send(button, values, after) {
      const press = find(button, ' *$');
      const filled = Object.entries(values).map(([name, value]) => {
        const label = loose(name);
        if (value === true) return `?.[ *]. ${label} *$\r\t\r${press}`;
        const field = `?${label} *$\r\t\r`;
        // A field of more than one line opens the editor.
        const isLong = RegExp(`${label} *\n *\\[.*\\]\n *\\[`).test(text());
        if (isLong) writeFileSync(typed, value);
        return field + (isLong ? '' : `${clear}${value}\r`) + press;
      });
      // A heading above the form may have the words of the button.
      const [first] = Object.keys(values);
      const start = after !== '' ? find(after) : first === undefined ? '' : find(first, ' *$');
      return `g${start}${press}${filled.join('')}\r`;
    },
  };
}

export const terminals = { lynx, w3m };

export interface TerminalBrowser extends StoryBrowser {
  close(): Promise<void>;
}

/** A text browser in a terminal of its own. It is started once and keeps its cookies and pages, as for a person. */
export async function startTerminal(
  name: keyof typeof terminals,
  program: string,
  network: NetworkProxy,
): Promise<TerminalBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'stena-terminal-'));
  const [keys, shown, saved] = [join(home, 'keys'), join(home, 'shown'), join(home, 'saved')];
  let [text, path] = ['', ''];
  const place: Place = { home, shown, saved, text: () => text };
  const { command, scriptOf, save, ...does } = terminals[name](program, place);
  execFileSync('mkfifo', [keys]);
  // A pipe that is opened for writing alone would wait here for its reader.
  const input = openSync(keys, 'r+');
  const inTerminal = `stty rows 500 cols 200; exec ${command} ${network.url}/sign-in`;
  const typedAt = scriptOf ? '/dev/null' : keys;
  const child = spawnHere('sh', ['-c', `exec script -qefc '${inTerminal}' /dev/null <${typedAt}`], {
    HOME: home,
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm',
    no_proxy: 'localhost',
  });
  const type = (typed: string) => writeSync(input, scriptOf ? scriptOf(typed) : typed);
  let screen = '';
  child.stdout!.on('data', (data: Buffer) => (screen = (screen + data.toString()).slice(-2_000)));

  /** Waits for a file and removes it. */
  const take = (file: string, isWhole: (content: string) => boolean = () => true): Promise<string> =>
    until(() => {
      const content = existsSync(file) && readFileSync(file, 'utf8');
      if (content === false || !isWhole(content)) return undefined;
      rmSync(file);
      return content;
    }).catch(() => {
      throw new Error(`No answer from ${name}: ${JSON.stringify(screen)}`);
    });

  /** Gives the keys for another page and waits until it is shown. */
  async function leave(pressed: string): Promise<void> {
    network.asked();
    type(pressed + save);
    text = await take(shown);
    path = network.asked().at(-1) ?? `no request for ${JSON.stringify(pressed)}`;
  }

  await leave('');
  return {
    open: (to) => leave(does.open(new URL(to, network.url).href, to === path)),
    path: async () => path,
    text: async () => text.replaceAll(/\[\d+\]/g, '').replaceAll(/\s+/g, ' '),
    follow: (link) => leave(does.follow(link)),
    async download(link) {
      type(does.download(link));
      return take(saved, isJson);
    },
    send: (button, values = {}, after = '') => leave(does.send(button, values, after)),
    async close() {
      type('Q');
      await until(() => child.exitCode ?? undefined).catch(() => end(child));
      closeSync(input);
      rmSync(home, { recursive: true });
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
