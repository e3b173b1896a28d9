/** One browser window under remote control. Functions that run in the page find elements; input events are real. */
export interface Driver {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Runs a function in the page. The function may use only its arguments; arguments and result must be JSON. */
  run<Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args): Promise<Result>;
  /** Clicks at coordinates of the window and takes the pointer away from there. */
  click(x: number, y: number): Promise<void>;
  doubleClick(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** Denies pages cookies and storage, as a setting of the browser does. */
  blockCookies?: (isBlocked: boolean) => Promise<void>;
  quit(): Promise<void>;
}

/** DOM key names and their code points in WebDriver. */
export const keys = {
  Backspace: '\uE003',
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowDown: '\uE015',
} as const;

export type Key = keyof typeof keys;

export const windowSize = { width: 1_000, height: 800 };
