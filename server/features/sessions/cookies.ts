import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInFlagCookie } from '#contract/page.ts';
import { idleSeconds } from './rules.ts';

/** The sign-in flag as a cookie, after a sign-in without scripts. Scripts move it to local storage. */
export const newSignInFlag = (): string =>
  `${signInFlagCookie}=${encodeURIComponent(new Date().toISOString())}; Path=/; Max-Age=${idleSeconds}; SameSite=Strict`;

export interface Cookies {
  fullName(name: CookieName): string;
  /** The cookie's value; undefined unless it has the form of a value set by this server. */
  read(request: FastifyRequest, name: CookieName): string | undefined;
  set(reply: FastifyReply, name: CookieName, value: string): void;
  /** The header that sets a cookie. */
  line(reply: FastifyReply, name: CookieName, value: string): string;
  clear(reply: FastifyReply, name: CookieName): void;
}

/**
 * `session` authenticates; `device` identifies a browser that has signed in before; `written` names what a browser has just
 * written. Plain pages use `client` where scripts compute a client token, and keep in `form` what was sent; what was sent to
 * the sign-in is in `sign-in`, so that the form that led there remains.
 */
type CookieName = 'session' | 'device' | 'written' | 'client' | 'form' | 'sign-in';

const form = /^[\w-]{43,}$/;
const lifetimes: Record<CookieName, number> = {
  session: idleSeconds,
  device: 400 * 24 * 3_600,
  client: 400 * 24 * 3_600,
  form: 1_800,
  'sign-in': 1_800,
  // Longer than a process may use its cache without having received the writes of others.
  written: 5,
};

/** On https the names have the `__Host-` prefix: no other host and no plain HTTP response can set them. */
export function cookiesFor(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:');
  const fullName = (name: CookieName): string => (secure ? `__Host-${name}` : name);
  const common = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;

  return {
    fullName,
    read(request, name) {
      const value = request.server.parseCookie(request.headers.cookie ?? '')[fullName(name)];
      return value !== undefined && form.test(value) ? value : undefined;
    },
    set(reply, name, value) {
      void reply.setCookie(fullName(name), value, { ...common, maxAge: lifetimes[name] });
    },
    line: ({ server }, name, value) =>
      server.serializeCookie(fullName(name), value, { ...common, maxAge: lifetimes[name] }),
    clear(reply, name) {
      void reply.clearCookie(fullName(name), common);
    },
  };
}
