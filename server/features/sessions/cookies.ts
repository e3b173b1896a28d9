import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInFlagCookie } from '#contract/page-data.ts';
import { idleSeconds, signInFlag } from './session-rules.ts';

export interface Cookies {
  fullName(name: CookieName): string;
  /** The cookie's value; undefined unless it has the form of a value set by this server. */
  read(request: FastifyRequest, name: CookieName): string | undefined;
  /** Setting `session` also sets the flag cookie that scripts read. `clear` clears both. */
  set(reply: FastifyReply, name: CookieName, value: string): void;
  /** The header that sets a cookie. */
  line(reply: FastifyReply, name: CookieName, value: string): string;
  clear(reply: FastifyReply, name: CookieName): void;
  /** The flag of the session of a request. Sets the flag cookie if the browser has another value or none. */
  matchFlag(request: FastifyRequest, reply: FastifyReply): string;
}

/**
 * `session` authenticates. `device` identifies a browser that has signed in before. `written` names the last write of a browser.
 * Without scripts, `client` replaces the client token that scripts compute, and `form` keeps what was typed into a form.
 * `sign-in` keeps the form of the sign-in, so that the form that led there remains in `form`.
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
  const prefixed = (name: string): string => (secure ? `__Host-${name}` : name);
  const fullName: Cookies['fullName'] = prefixed;
  const common = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  const readable = { ...common, httpOnly: false } as const;
  const flagName = prefixed(signInFlagCookie);

  const valueOf = (request: FastifyRequest, cookie: string): string | undefined =>
    request.server.parseCookie(request.headers.cookie ?? '')[cookie];
  const setFlag = (reply: FastifyReply, flag: string) =>
    void reply.setCookie(flagName, flag, { ...readable, maxAge: lifetimes.session });

  return {
    fullName,
    read(request, name) {
      const value = valueOf(request, fullName(name));
      return value !== undefined && form.test(value) ? value : undefined;
    },
    matchFlag(request, reply) {
      const flag = signInFlag(valueOf(request, fullName('session')) ?? '');
      if (valueOf(request, flagName) !== flag) setFlag(reply, flag);
      return flag;
    },
    set(reply, name, value) {
      void reply.setCookie(fullName(name), value, { ...common, maxAge: lifetimes[name] });
      if (name === 'session') setFlag(reply, signInFlag(value));
    },
    line: ({ server }, name, value) =>
      server.serializeCookie(fullName(name), value, { ...common, maxAge: lifetimes[name] }),
    clear(reply, name) {
      void reply.clearCookie(fullName(name), common);
      if (name === 'session') void reply.clearCookie(flagName, readable);
    },
  };
}
