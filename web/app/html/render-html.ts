import * as React from 'react';
import type { ReactElement, ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { endOf, NotKnown, startOf, voidTags } from './html-tags.ts';
import { BrickMark } from '../../ui/brick-mark.tsx';
import { Face } from '../../ui/face.tsx';
import { Icon } from '../../ui/icon.tsx';
import { escapeHtml } from './escape-html.ts';
import { type Hooks, hooksOf } from './server-hooks.ts';

interface Memo {
  $$typeof: symbol;
  type: unknown;
}

type Component = (props: object) => ReactNode;

const element = Symbol.for('react.transitional.element');
const fragment = Symbol.for('react.fragment');
const strict = Symbol.for('react.strict_mode');
const memo = Symbol.for('react.memo');
const context = Symbol.for('react.context');

/** Where the hooks of React look for the renderer. */
const current = (React as unknown as Record<string, { H: unknown }>)[
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
]!;

/** Pictures whose HTML depends on their name alone. Every card has four, a third of its elements. */
const pictures = new Map<unknown, Map<string | undefined, string>>(
  [Icon, Face, BrickMark].map((picture) => [picture, new Map()]),
);
const maxPictures = 2_000;

/**
 * The same bytes as by React's `renderToString` in half of the time, for what most pages consist of. At every element
 * React prepares for streaming and suspending, which nothing here does. What is not known here is left to React.
 */
export function renderHtml(app: ReactElement): string {
  try {
    return renderKnown(app);
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error;
    return renderToString(app);
  }
}

/** Throws NotKnown. */
export function renderKnown(app: ReactElement): string {
  const before = current.H;
  const rendering = new Rendering();
  current.H = rendering.hooks;
  try {
    rendering.node(app);
    return rendering.html;
  } finally {
    current.H = before;
  }
}

class Rendering {
  html = '';
  readonly hooks: Hooks;
  /** Two texts in a row are separated by a comment, so that the browser keeps them apart. */
  #isAfterText = false;
  #component = hooksOf();

  constructor() {
    this.hooks = this.#component.hooks;
  }

  node(node: unknown): void {
    if (typeof node === 'string') return this.#text(node);
    if (typeof node === 'number') return this.#text(String(node));
    if (typeof node !== 'object' || node === null) return undefined;
    if (Array.isArray(node)) return this.#list(node);
    if ((node as { $$typeof?: symbol }).$$typeof !== element) throw new NotKnown();
    const { type, props } = node as { type: unknown; props: Record<string, unknown> };
    if (typeof type === 'string') return this.#tag(type, props);
    return this.#element(type, props);
  }

  #text(text: string): void {
    if (text === '') return;
    if (this.#isAfterText) this.html += '<!-- -->';
    this.html += escapeHtml(text);
    this.#isAfterText = true;
  }

  #list(nodes: readonly unknown[]): void {
    const { path } = this.#component;
    for (let i = 0; i < nodes.length; i += 1) {
      path.push(nodes.length, i);
      this.node(nodes[i]);
      path.length -= 2;
    }
  }

  #tag(tag: string, props: Record<string, unknown>): void {
    this.html += startOf(tag, props);
    this.#isAfterText = false;
    if (voidTags.has(tag)) {
      this.html += '/>';
      return;
    }
    this.html += '>';
    const { children, dangerouslySetInnerHTML: inner } = props;
    if (inner) this.html += (inner as Record<string, string>)['__html'];
    else if (typeof children === 'string') this.html += escapeHtml(children);
    else this.node(children);
    this.html += endOf(tag);
    this.#isAfterText = false;
  }

  #element(type: unknown, props: Record<string, unknown>): void {
    if (typeof type === 'function') return this.#call(type as Component, props);
    if (type === fragment || type === strict) return this.node(props['children']);
    const { $$typeof: kind, type: inner } = type as Memo;
    if (kind === memo) return this.#element(inner, props);
    if (kind !== context) throw new NotKnown();
    return this.#component.provide(type as object, props['value'], () => this.node(props['children']));
  }

  #call(component: Component, props: Record<string, unknown>): void {
    const drawn = pictures.get(component);
    if (!drawn) return this.#run(component, props);
    const name = props['name'] as string | undefined;
    const known = drawn.get(name);
    this.#isAfterText = false;
    if (known !== undefined) {
      this.html += known;
      return undefined;
    }
    const { html } = this;
    this.html = '';
    this.#run(component, props);
    if (drawn.size >= maxPictures) drawn.clear();
    drawn.set(name, this.html);
    this.html = html + this.html;
    return undefined;
  }

  #run(component: Component, props: object): void {
    if (component.prototype?.isReactComponent) throw new NotKnown();
    const { node, hasIds } = this.#component.render(component, props);
    if (!hasIds) return this.node(node);
    const { path } = this.#component;
    path.push(1, 0);
    this.node(node);
    path.length -= 2;
    return undefined;
  }
}
