/** One browser window under remote control. Elements are found by functions that run in the page; input is real. */
export interface Driver {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Runs a function in the page. It sees nothing outside itself but its arguments; they and its result are JSON. */
  run<Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args): Promise<Result>;
  /** At a point of the window. */
  click(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  quit(): Promise<void>;
}

/** Keys by their names in the DOM, with their code points in WebDriver. */
export const keys = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Home: '\uE011',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
} as const;

export type Key = keyof typeof keys;

export const windowSize = { width: 1_000, height: 800 };
