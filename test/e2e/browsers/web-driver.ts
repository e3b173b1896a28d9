import { type Driver, type Key, keys, windowSize } from './driver.ts';

/** The WebDriver commands used here: the Marionette name, then method and path over HTTP. */
export const commands = {
  NewSession: ['POST', '/session'],
  SetWindowRect: ['POST', '/window/rect'],
  Navigate: ['POST', '/url'],
  Refresh: ['POST', '/refresh'],
  Back: ['POST', '/back'],
  ExecuteScript: ['POST', '/execute/sync'],
  PerformActions: ['POST', '/actions'],
} as const;

/** Sends a command and resolves with its value. */
export type Send = (command: keyof typeof commands, params: object) => Promise<unknown>;

/** A browser that speaks WebDriver over any transport. */
export class WebDriver implements Driver {
  #send: Send;
  quit: () => Promise<void>;

  constructor(send: Send, quit: () => Promise<void>) {
    this.#send = send;
    this.quit = quit;
  }

  async start(browserOptions: object): Promise<this> {
    await this.#send('NewSession', { capabilities: { alwaysMatch: browserOptions } });
    await this.#send('SetWindowRect', windowSize);
    return this;
  }

  async goto(url: string): Promise<void> {
    await this.#send('Navigate', { url });
  }

  async reload(): Promise<void> {
    await this.#send('Refresh', {});
  }

  async back(): Promise<void> {
    await this.#send('Back', {});
  }

  async run<Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args): Promise<Result> {
    const script = `return JSON.stringify([(${String(inPage)})(...arguments)])`;
    const answer = (await this.#send('ExecuteScript', { script, args })) as string | null;
    if (answer === null) throw new Error('The page was left while the script ran');
    const [result] = JSON.parse(answer) as [Result];
    return result;
  }

  click(x: number, y: number): Promise<void> {
    return this.#press(x, y, 1);
  }

  doubleClick(x: number, y: number): Promise<void> {
    return this.#press(x, y, 2);
  }

  async type(text: string): Promise<void> {
    const actions = [...text.replaceAll('\n', keys.Enter)].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#perform({ type: 'key', id: 'keyboard', actions });
  }

  press(key: Key): Promise<void> {
    return this.type(keys[key]);
  }

  async #press(x: number, y: number, times: number): Promise<void> {
    const downAndUp = [
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#point([
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      ...Array.from({ length: times }, () => downAndUp).flat(),
    ]);
    // A toast stays while the pointer is over it, so the pointer moves away. In Firefox the move fails while the click opens another page.
    const moveAway = () => this.#point([{ type: 'pointerMove', x: 1, y: 1 }]);
    await moveAway().catch(moveAway);
  }

  #point(actions: object[]): Promise<void> {
    return this.#perform({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
  }

  async #perform(source: object): Promise<void> {
    await this.#send('PerformActions', { actions: [source] });
  }
}
