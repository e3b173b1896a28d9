import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

export interface SecurityHeaders {
  api: Record<string, string>;
  page: Record<string, string>;
}

/** The texts of a page's inline scripts and styles. */
export interface Inline {
  scripts: readonly string[];
  styles: readonly string[];
}

/**
 * The headers are fixed strings, because computing them takes longer than the rest of a request. In development the
 * inline texts are not known, so pages have no content security policy.
 */
export function securityHeaders(inline: Inline | undefined, https: boolean): SecurityHeaders {
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
  return {
    api: { ...everywhere, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" },
    page: {
      ...everywhere,
      'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      // Only for https: elsewhere browsers ignore it and warn in the console.
      ...(https && { 'cross-origin-opener-policy': 'same-origin' }),
      ...(inline && { 'content-security-policy': pagePolicy(inline) }),
    },
  };
}

function pagePolicy({ scripts, styles }: Inline): string {
  const hashes = (texts: readonly string[]) => texts.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes(scripts)].join(' '),
    // This also forbids the attribute `style` in HTML.
    ["style-src 'self'", ...hashes(styles)].join(' '),
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types stena words default',
  ].join('; ');
}

/** Does not replace headers that the route has set. */
export function setHeaders(reply: FastifyReply, headers: Record<string, string>): void {
  for (const name in headers) if (!reply.hasHeader(name)) void reply.header(name, headers[name]);
}
