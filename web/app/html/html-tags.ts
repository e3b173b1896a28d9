import { escapeHtml } from './escape-html.ts';

/** Thrown at what only React knows how to render. */
export class NotKnown extends Error {}

export const voidTags: ReadonlySet<string> = new Set(['br', 'hr', 'wbr']);

/** React renders them in ways of their own. */
const ownWays = new Set(
  'html head body title meta link script style template object img picture video input select option textarea pre listing form'.split(
    ' ',
  ),
);

type Kind = 'text' | 'any' | 'flag' | 'url' | 'nothing';

const names = (list: string, kind: Kind): Array<[string, Kind]> => list.split(' ').map((name) => [name, kind]);

/** What React does with the value of a property that is not like that of most properties. */
const kinds = new Map<string, Kind>([
  ...names('draggable spellCheck contentEditable', 'any'),
  ...names('disabled hidden inert open', 'flag'),
  ...names('href', 'url'),
  ...names('children dangerouslySetInnerHTML ref suppressHydrationWarning', 'nothing'),
]);

const attributes = new Map<string, string>([
  ['className', 'class'],
  ['tabIndex', 'tabindex'],
  ['htmlFor', 'for'],
  ...'viewBox popoverTarget dateTime'.split(' ').map((name): [string, string] => [name, name]),
]);

/** React has rules of its own for their values. */
const ownValues = new Set(
  'style src action multiple muted value focusable async controls default defer loop required reversed scoped seamless capture download cols rows size span start name'.split(
    ' ',
  ),
);

interface Property {
  kind: Kind;
  /** Up to the value. */
  start: string;
}

const properties = new Map<string, Property>();

function propertyOf(name: string): Property {
  const known = properties.get(name);
  if (known) return known;
  const attribute = attributes.get(name) ?? name;
  const isUsual =
    attributes.has(name) || kinds.has(name) || (/^[a-z]+$|^(data|aria)-[a-z-]+$/.test(name) && !ownValues.has(name));
  const isEvent = /^on/i.test(name);
  if (!isUsual && !isEvent) throw new NotKnown();
  const kind = isEvent ? 'nothing' : (kinds.get(name) ?? (/^(data|aria)-/.test(name) ? 'any' : 'text'));
  const property: Property = { kind, start: ` ${attribute}="` };
  properties.set(name, property);
  return property;
}

/** The start of a tag with its attributes, without `>`. */
export function startOf(tag: string, props: Record<string, unknown>): string {
  if (ownWays.has(tag) || tag.includes('-')) throw new NotKnown();
  let html = `<${tag}`;
  for (const name in props) {
    const value = props[name];
    if (value === null || value === undefined) continue;
    const { kind, start } = propertyOf(name);
    if (kind === 'nothing' || typeof value === 'function' || typeof value === 'symbol') continue;
    if (kind === 'flag') html += value ? `${start}"` : '';
    else if (typeof value === 'boolean' && kind !== 'any') continue;
    else if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') throw new NotKnown();
    else {
      const text = String(value);
      if (kind === 'url' && isScript(text)) throw new NotKnown();
      html += `${start}${escapeHtml(text)}"`;
    }
  }
  return html;
}

/** React replaces such addresses. */
const isScript = (address: string): boolean => /^[\0-\x1f ]*j[\r\n\t]*a[\r\n\t]*v[\r\n\t]*a/i.test(address);

const ends = new Map<string, string>();

export function endOf(tag: string): string {
  let end = ends.get(tag);
  if (!end) ends.set(tag, (end = `</${tag}>`));
  return end;
}
