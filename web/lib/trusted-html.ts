interface Policy<HTML> {
  createHTML(html: string): HTML;
  /** Returns a TrustedScriptURL. Its type is `string` because the type declarations of the browser's methods expect one. */
  createScriptURL?(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy<string | null>): Required<Policy<TrustedHTML>>;
}

/** Absent on the server and in browsers without Trusted Types. */
export const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

const policy = trustedTypes?.createPolicy('stena', {
  createHTML: (html) => html,
  createScriptURL: () => pushWorker,
});

const pushWorker = '/push-worker.js';

/** The address of the only script that this code passes to the browser. */
export const trustedWorker = (): string => policy?.createScriptURL(pushWorker) ?? pushWorker;

/** HTML that the server has rendered from Markdown, without raw HTML. Browsers refuse other strings as HTML, except the one in `fingerprint.ts`. */
export const trustedHtml = (html: string): string | TrustedHTML => policy?.createHTML(html) ?? html;
