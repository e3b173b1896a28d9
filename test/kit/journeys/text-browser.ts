import assert from 'node:assert/strict';
import { Window } from 'happy-dom';
import { elementIn, fieldOf, wordsOf } from './find.ts';

/** A browser that opens pages, follows links and sends forms. */
export interface StoryBrowser {
  /** Acts take effect later, without the load of another page. */
  hasScripts?: true;
  open(path: string): Promise<void>;
  /** Path and query of the page. */
  path(): Promise<string>;
  text(): Promise<string>;
  follow(link: string): Promise<void>;
  /** The text of the file that a link leads to. */
  download(link: string): Promise<string>;
  /**
   * Fills fields by their labels, and presses the first button with this name, or the first one after the text `after`. The value
   * `true` ticks or chooses the field with that label.
   */
  send(button: string, values?: Readonly<Record<string, string | true>>, after?: string): Promise<void>;
}

interface Page {
  status: number;
  headers: Headers;
  url: URL;
  document: Document;
  body: string;
}

export interface TextBrowser extends StoryBrowser {
  cookies: Map<string, string>;
  /** The last response, after its redirects. */
  page(): Page;
  /** The field of a form on the page, by its name. */
  valueOf(name: string): string | undefined;
  /** Sends the form of a button twice at the same time; resolves to both addresses it leads to. */
  sendTwice(button: string, values: Readonly<Record<string, string | true>>): Promise<[string, string]>;
  /** The fields that the form of a button would send. */
  formOf(button: string, values?: Readonly<Record<string, string | true>>, after?: string): URLSearchParams;
  /** The fields of all forms that change something, with their current values. */
  forms(): URLSearchParams[];
  post(form: URLSearchParams, headers?: Record<string, string>): Promise<Response>;
}

const redirectsAtMost = 5;

/** A text browser over HTTP, like lynx: it sends neither `Origin` nor `Sec-Fetch-Site`. */
export function openTextBrowser(base: string): TextBrowser {
  const cookies = new Map<string, string>();
  let page: Page | undefined;

  async function request(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie && { cookie }), accept: 'text/html', ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const { name, value } = /^(?<name>[^=]+)=(?<value>[^;]*)/.exec(line)!.groups!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return response;
  }

  async function show(first: Response, from: URL): Promise<void> {
    let [response, url] = [first, from];
    for (let turn = 0; response.status === 303; turn += 1) {
      assert.ok(turn < redirectsAtMost, `redirects at ${url.href}`);
      url = new URL(response.headers.get('location')!, url);
      response = await request(url);
    }
    const body = await response.text();
    const window = new Window({ settings: { disableCSSFileLoading: true } });
    const document = new window.DOMParser().parseFromString(body, 'text/html') as unknown as Document;
    for (const script of document.querySelectorAll('script')) script.remove();
    page = { status: response.status, headers: response.headers, url, document, body };
  }

  const here = (): Page => page!;
  const root = (): Element => here().document.body;
  const elementOf = (selector: string, words: string, after?: string): Element =>
    elementIn(root(), selector, words, after);

  function formOf(
    button: string,
    values: Readonly<Record<string, string | true>> = {},
    after?: string,
  ): URLSearchParams {
    const pressed = elementOf('button', button, after);
    const sent = fieldsOf(pressed.closest('form')!, values);
    if (pressed.hasAttribute('name')) sent.append(pressed.getAttribute('name')!, pressed.getAttribute('value')!);
    return sent;
  }

  function fieldsOf(form: Element, values: Readonly<Record<string, string | true>> = {}): URLSearchParams {
    const sent = new URLSearchParams();
    const chosen = new Set<Element>();
    const typed = new Map<Element, string>();
    for (const [label, value] of Object.entries(values)) {
      const field = fieldOf(form, label);
      if (value === true) chosen.add(field);
      else typed.set(field, value);
    }
    for (const field of form.querySelectorAll('input, textarea')) {
      const name = field.getAttribute('name')!;
      const type = field.getAttribute('type');
      if (type === 'radio' || type === 'checkbox') {
        const isOther = [...chosen].some(
          (one) => one !== field && type === 'radio' && one.getAttribute('name') === name,
        );
        if (chosen.has(field) || (field.hasAttribute('checked') && !isOther))
          sent.append(name, field.getAttribute('value')!);
      } else {
        const value = field.tagName === 'TEXTAREA' ? field.textContent : (field.getAttribute('value') ?? '');
        sent.append(name, typed.get(field) ?? value);
      }
    }
    return sent;
  }

  /** The address to which a form is sent. A form without an action loses the query, as in w3m. */
  const targetOf = (form: Element): URL => new URL(form.getAttribute('action') ?? here().url.pathname, here().url);

  const post = (form: URLSearchParams, headers: Record<string, string> = {}, to = here().url): Promise<Response> =>
    request(to, {
      method: 'POST',
      body: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  return {
    cookies,
    page: here,
    formOf,
    forms: () => [...root().querySelectorAll('form[method="post"]')].map((form) => fieldsOf(form)),
    post,
    async open(path) {
      const url = new URL(path, base);
      await show(await request(url), url);
    },
    path: async () => here().url.pathname + here().url.search,
    text: async () => wordsOf(root()),
    async follow(link) {
      const url = new URL(elementOf('a', link).getAttribute('href')!, here().url);
      await show(await request(url), url);
    },
    async download(link) {
      const url = new URL(elementOf('a', link).getAttribute('href')!, here().url);
      return (await request(url)).text();
    },
    async send(button, values, after) {
      const form = elementOf('button', button, after).closest('form')!;
      const sent = formOf(button, values, after);
      const url = targetOf(form);
      if (form.getAttribute('method') === 'post') return show(await post(sent, {}, url), url);
      url.search = sent.toString();
      return show(await request(url), url);
    },
    valueOf(name) {
      const field = root().querySelector(`[name="${name}"]:not([type="hidden"])`);
      return field?.getAttribute('value') ?? field?.textContent ?? undefined;
    },
    async sendTwice(button, values) {
      const form = formOf(button, values);
      const responses = await Promise.all([post(form), post(form)]);
      const to = responses.map((response) => response.headers.get('location')!);
      await show(responses[0], here().url);
      return to as [string, string];
    },
  };
}
