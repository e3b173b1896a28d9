/** An element as people perceive it: role, accessible name, contained text and ancestor. */
export interface Target {
  role: Role;
  /** The full name, or its beginning followed by an ellipsis. */
  name?: string;
  text?: string;
  within?: Target;
}

const selectors = {
  alert: '[role=alert]',
  article: 'article',
  banner: 'body header',
  button: 'button:not([role])',
  checkbox: 'input[type=checkbox]',
  combobox: '[role=combobox]',
  dialog: 'dialog',
  feed: '[role=feed]',
  heading: 'h1, h2, h3',
  label: 'label',
  link: 'a[href]',
  listitem: 'li',
  main: 'main',
  menu: '[role=menu]',
  menuitem: '[role=menuitem]',
  option: '[role=option]',
  region: 'section',
  status: '[role=status]',
  textbox: 'textarea, input:not([type=checkbox], [type=radio])',
  time: 'time',
};

type Role = keyof typeof selectors;

/** A target in a form that the page script understands; the outermost ancestor comes first. */
export interface Step {
  selector: string;
  name: string | undefined;
  text: string | undefined;
}

export function stepsTo({ role, name, text, within }: Target): Step[] {
  return [...(within ? stepsTo(within) : []), { selector: selectors[role], name, text }];
}

export function describe({ role, name, text, within }: Target): string {
  const what = [role, name && `“${name}”`, text && `with “${text}”`].filter(Boolean).join(' ');
  return within ? `${what} in ${describe(within)}` : what;
}

export type Located =
  | { found: 'no' }
  /** Why the element cannot be seen or clicked. */
  | { found: 'unusable'; why: string }
  | { found: 'yes'; x: number; y: number };

/** Runs in the page: scrolls the first visible match into view and returns its position. */
export function locate(steps: Step[]): Located {
  const plain = (text: string | null) => (text ?? '').replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: Element): string => {
    const labels = (element as HTMLInputElement).labels;
    const by = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const texts = by.map((id) => document.getElementById(id)?.textContent ?? '');
    return plain(
      element.getAttribute('aria-label') ??
        (texts.length > 0
          ? texts.join(' ')
          : labels?.length
            ? labels[0]!.textContent
            : (element as HTMLElement).innerText),
    );
  };
  const fits = (element: Element, { name, text }: Step): boolean => {
    const own = nameOf(element);
    const named = name === undefined || (name.endsWith('…') ? own.startsWith(name.slice(0, -1)) : own === name);
    return named && (text === undefined || plain(element.textContent).includes(text));
  };
  let places: Element[] = [document.documentElement];
  for (const step of steps) {
    const inside = places.flatMap((place) => [...place.querySelectorAll(step.selector)]);
    places = inside.filter((element) => fits(element, step) && element.checkVisibility());
  }
  const [element] = places;
  if (!element) return { found: 'no' };

  let opacity = 1;
  for (let at: Element | null = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  if (opacity < 0.5) return { found: 'unusable', why: `opacity ${opacity}` };

  const box = () => element.getClientRects()[0] ?? element.getBoundingClientRect();
  const hitAt = (x: number, y: number) => document.elementFromPoint(x, y);
  const middle = () => [box().x + box().width / 2, box().y + box().height / 2] as const;
  const isHit = (hit: Element | null) => element.contains(hit);
  let hit = hitAt(...middle());
  if (!isHit(hit)) {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    hit = hitAt(...middle());
  }
  if (!isHit(hit)) return { found: 'unusable', why: `covered by ${hit?.outerHTML.slice(0, 80) ?? 'the edge'}` };
  const [x, y] = middle();
  return { found: 'yes', x, y };
}
