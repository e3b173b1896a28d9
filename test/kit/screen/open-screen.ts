import assert from 'node:assert/strict';
import { createEvent, fireEvent, waitFor } from '@testing-library/dom';
import { type IBrowserSettings, Window } from 'happy-dom';
import { signedIn } from '../signed-in.ts';
import type { Wall } from '../wall.ts';
import { appScript } from './bundle.ts';
import { guardAssert } from './guarded-assert.ts';
import { addClock, type Clock } from './clock.ts';
import { addEventSource } from './event-source.ts';
import { addHistory } from './history.ts';
import { addNetwork, type Network, origin } from './network.ts';
import { addPopovers } from './popovers.ts';
import { type Queries, queriesIn } from './queries.ts';
import { addStyles } from './styles.ts';
import { addViewport } from './viewport.ts';

guardAssert();

/** A page of the wall in a window without layout: the real HTML and the app's real code. `await using` closes it. */
export interface Screen extends Queries, AsyncDisposable {
  window: Window;
  network: Network;
  clock: Clock;
  /** The addresses that a browser would have loaded as new documents. */
  loads: string[];
  /** Errors of the page. The test fails if any is left at its end. */
  errors: string[];
  main(): Queries;
  dialog(): Queries;
  banner(): Queries;
  /** Waits until the check throws no error, and resolves to its result. */
  until<Result>(check: () => Result): Promise<Result>;
  /** The path and the query of the current address. */
  path(): string;
  click(element: Element): Promise<void>;
  /** The element with the focus. */
  focused(): Element | null;
  /** Replaces the text of a field. */
  fill(field: Element, text: string): void;
  /** Presses a key on the element with the focus. */
  press(key: string, modifiers?: { altKey?: boolean; ctrlKey?: boolean; shiftKey?: boolean }): void;
  /** Scrolls so that this share of the element is in the window; 0 scrolls it away. */
  show(element: Element, share?: number): void;
  /** Closes this page and opens the same or another one in its tab, with its cookies, storage and time. */
  reload(path?: string, prepare?: Prepare): Promise<Screen>;
  close(): Promise<void>;
}

/** Changes the window before the app starts. Then nobody waits until it is known who is signed in. */
type Prepare = (page: Pick<Screen, 'window' | 'network'>) => void;

interface OpenOptions {
  /** The id of the person who is signed in here. */
  as?: number;
  /** The content of local storage. */
  stored?: Readonly<Record<string, string>>;
  width?: number;
  prepare?: Prepare;
}

/** The state that a tab keeps from one document to the next. */
interface Tab {
  width: number;
  /** Milliseconds since 1970. */
  now: number;
  cookies: Map<string, string>;
  local: Readonly<Record<string, string>>;
  session: Readonly<Record<string, string>>;
}

const settings = {
  disableCSSFileLoading: true,
  disableJavaScriptFileLoading: true,
  handleDisabledFileLoadingAsSuccess: true,
  enableJavaScriptEvaluation: true,
  suppressInsecureJavaScriptEnvironmentWarning: true,
  navigator: {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
    maxTouchPoints: 0,
  },
} as const satisfies Partial<IBrowserSettings>;

/** Opens a page of a wall whose server runs in this process, and waits until the app knows who is signed in. */
export async function openScreen(wall: Wall, path: string, options: OpenOptions = {}): Promise<Screen> {
  const { as, stored = {}, width = 1_440, prepare } = options;
  const now = wall.clock.now * 1_000;
  const local = { 'client-token': 'Chrome Linux', ...stored };
  const tab: Tab = { width, now, cookies: new Map(), local, session: {} };
  if (as === undefined) return openTab(wall, path, tab, prepare);
  const { cookie } = await signedIn(wall.db, as);
  tab.cookies.set('session', cookie);
  tab.local = { ...local, 'signed-in': new Date(now).toISOString() };
  const screen = await openTab(wall, path, tab, prepare);
  if (!prepare) assert.ok(screen.window.document.querySelector('header a[href="/settings"]'), 'Nobody is signed in');
  return screen;
}

async function openTab(wall: Wall, path: string, tab: Tab, prepare: Prepare | undefined): Promise<Screen> {
  const window = new Window({ url: origin + path, width: tab.width, height: 900, settings });
  const errors: string[] = [];
  const loads: string[] = [];
  const clock = addClock(window, tab.now);
  const network = addNetwork(window, wall, tab.cookies);
  addHistory(window, (url) => loads.push(url.slice(origin.length)));
  addEventSource(window, network.openStream);
  addPopovers(window);
  const show = addViewport(window);
  addMissing(window, errors);
  for (const [key, value] of Object.entries(tab.local)) window.localStorage.setItem(key, value);
  for (const [key, value] of Object.entries(tab.session)) window.sessionStorage.setItem(key, value);
  prepare?.({ window, network });
  const { text } = await wall.get(path);
  // Styles have no effect without layout.
  window.document.write(text.replaceAll(/<style[^]*?<\/style>/g, ''));
  addStyles(window);
  const script = await appScript();
  script().runInContext(window);

  const body = window.document.body as unknown as HTMLElement;
  const all = queriesIn(body);
  const withDialogs = (error: Error): Error => {
    const dialogs = [...body.querySelectorAll('dialog[open]')].map(({ textContent }) => textContent);
    return new Error(`${error.message}\nOpen dialogs: ${JSON.stringify(dialogs)}`, { cause: error });
  };
  const until: Screen['until'] = (check) => waitFor(check, { container: body, onTimeout: withDialogs });
  const one = (role: string) => queriesIn(all.getByRole(role));
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const left = [...errors];
    clock.stop();
    network.close();
    await window.happyDOM.close();
    assert.deepEqual(left, []);
  };
  const screen: Screen = {
    ...all,
    until,
    window,
    network,
    clock,
    loads,
    errors,
    main: () => one('main'),
    dialog: () => one('dialog'),
    banner: () => one('banner'),
    show,
    path: () => window.location.pathname + window.location.search,
    focused: () => window.document.activeElement as unknown as Element | null,
    async click(element) {
      await until(() => assert.ok(!isDisabled(element), `disabled: ${element.outerHTML}`));
      (element as HTMLElement).focus();
      fireEvent.pointerDown(element);
      fireEvent.mouseDown(element);
      fireEvent.pointerUp(element);
      fireEvent.mouseUp(element);
      (element as HTMLElement).click();
    },
    fill(field, value) {
      (field as HTMLElement).focus();
      fireEvent.input(field, { target: { value } });
    },
    press(key, modifiers = {}) {
      const modal = [...body.querySelectorAll('dialog[open]')].at(-1);
      const focused = screen.focused() ?? body;
      const target = !modal || modal.contains(focused) ? focused : modal;
      const event = createEvent.keyDown(target, { key, code: codeOf(key), ...modifiers });
      Object.defineProperty(event, 'timeStamp', { value: clock.now() });
      if (fireEvent(target, event)) pressDefault(target, key);
      fireEvent.keyUp(target, { key, ...modifiers });
    },
    async reload(address = screen.path(), prepareNext) {
      const [local, session] = [{ ...window.localStorage }, { ...window.sessionStorage }];
      const next = { ...tab, now: clock.now(), local, session };
      await screen.close();
      return openTab(wall, address, next, prepareNext);
    },
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => screen.close(),
  };
  await until(() => assert.ok(isStarted(body), 'The app has not started'));
  const isUndecided = () => body.querySelector('header [data-undecided="true"]') !== null;
  if (!prepare) await until(() => assert.ok(!isUndecided(), 'It is not known who is signed in'));
  return screen;
}

const isDisabled = (element: Element): boolean => element.matches(':disabled');

/** React notes its own data on the elements that it has taken over. */
const isStarted = (body: HTMLElement): boolean =>
  Object.keys(body.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber$'));

/** The key of a Latin letter on the keyboard, by which shortcuts go. */
const codeOf = (key: string): string => (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key);

/** The browser's own action when nobody handles the key. */
function pressDefault(target: Element, key: string): void {
  const dialog = target.closest('dialog');
  if (key === 'Escape' && dialog && fireEvent(dialog, createEvent('cancel', dialog, { cancelable: true })))
    dialog.close();
  else if (key === 'Enter' && target.matches('a, button')) (target as HTMLElement).click();
  else if (key === 'Enter' && target.matches('input')) target.form?.requestSubmit();
}

/** Adds the interfaces that the app uses and happy-dom does not have. */
function addMissing(window: Window, errors: string[]): void {
  const note = (...parts: unknown[]): void => void errors.push(parts.map(String).join(' '));
  Object.assign(window.console, { error: note, warn: note });
  window.addEventListener('error', (event) => note((event as unknown as ErrorEvent).error));
  const locks = { request: (_name: string, _options: unknown, run: () => Promise<unknown>) => run() };
  Object.defineProperty(window.navigator, 'locks', { value: locks });
  class BroadcastChannel extends window.EventTarget {
    postMessage(): void {}
    close(): void {}
  }
  Object.defineProperty(window.HTMLElement.prototype, 'ariaLabel', {
    configurable: true,
    get(this: Element) {
      return this.getAttribute('aria-label');
    },
    set(this: Element, label: string) {
      this.setAttribute('aria-label', label);
    },
  });
  Object.assign(window, { reportError: note, BroadcastChannel, scrollTo: () => {}, scrollBy: () => {} });
}
