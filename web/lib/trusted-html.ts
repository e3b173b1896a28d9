interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string | null },
  ): { createHTML(html: string): TrustedHTML };
}

/** Absent on the server and in browsers without Trusted Types. */
export const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

const policy = trustedTypes?.createPolicy('stena', { createHTML: (html) => html });

/** HTML that the server has rendered from Markdown, without raw HTML. Browsers refuse every other string as HTML. */
export const trustedHtml = (html: string): string | TrustedHTML => policy?.createHTML(html) ?? html;
