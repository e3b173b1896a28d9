import type { FastifyReply, FastifyRequest } from 'fastify';
import { idleSeconds } from './rules.ts';

export interface Cookies {
  fullName(name: CookieName): string;
  /** The cookie's value, if it has the form we give. */
  read(request: FastifyRequest, name: CookieName): string | undefined;
  set(reply: FastifyReply, name: CookieName, value: string): void;
  clear(reply: FastifyReply, name: CookieName): void;
}

/** `session` opens the account; `device` says that this browser has been here before. */
type CookieName = 'session' | 'device';

const form = /^[\w-]{43}$/;
const deviceSeconds = 400 * 24 * 3_600;

/** On https they carry the `__Host-` prefix: no other host and no plain http can set or read them. */
export function cookiesFor(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:');
  const fullName = (name: CookieName): string => (secure ? `__Host-${name}` : name);
  const common = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;

  return {
    fullName,
    read(request, name) {
      const value = request.cookies[fullName(name)];
      return value !== undefined && form.test(value) ? value : undefined;
    },
    set(reply, name, value) {
      void reply.setCookie(fullName(name), value, {
        ...common,
        maxAge: name === 'session' ? idleSeconds : deviceSeconds,
      });
    },
    clear(reply, name) {
      void reply.clearCookie(fullName(name), common);
    },
  };
}
