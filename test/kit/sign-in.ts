import assert from 'node:assert/strict';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { MailServer } from './smtp.ts';

/** The app and the mail server that receives its codes. */
export interface AppWithMail {
  app: Pick<FastifyInstance, 'inject'>;
  mail: MailServer;
}

export const device = { userAgent: 'Chrome', userAgentVersion: '142.0', os: 'Windows 11' };

/** A client with its own cookies, access token and IP address. */
export interface Browser {
  clientToken: string;
  ip: string;
  cookies: Map<string, string>;
  token: string | undefined;
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  start(purpose: 'logins' | 'registrations', email: string): Promise<LightMyRequestResponse>;
  verify(purpose: 'logins' | 'registrations', id: string, confirmCode: string): Promise<LightMyRequestResponse>;
  /** Signs in or registers with a mailed code. */
  enter(purpose: 'logins' | 'registrations', email: string): Promise<LightMyRequestResponse>;
}

let browsers = 0;

export function openBrowser(wall: AppWithMail): Browser {
  browsers += 1;
  const browser: Browser = {
    clientToken: `client ${browsers}`,
    ip: `10.${(browsers >> 16) & 255}.${(browsers >> 8) & 255}.${browsers & 255}`,
    cookies: new Map(),
    token: undefined,
    async send(method, path, body, headers = {}) {
      const response = await wall.app.inject({
        method,
        url: `/api/v1${path}`,
        remoteAddress: browser.ip,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(browser.token && { authorization: `Bearer ${browser.token}` }),
          ...headers,
        },
        cookies: Object.fromEntries(browser.cookies),
        ...(body && { payload: body }),
      });
      for (const { name, value } of response.cookies) {
        if (value === '') browser.cookies.delete(name);
        else browser.cookies.set(name, value);
      }
      return response;
    },
    start: (purpose, email) => browser.send('POST', `/${purpose}`, { email, clientToken: browser.clientToken, device }),
    async verify(purpose, id, confirmCode) {
      const response = await browser.send('POST', `/${purpose}/${id}/verify`, {
        confirmCode,
        clientToken: browser.clientToken,
      });
      if (response.statusCode === 200) browser.token = response.json().accessToken.token;
      return response;
    },
    async enter(purpose, email) {
      const started = await browser.start(purpose, email);
      assert.equal(started.statusCode, 201, started.body);
      return browser.verify(purpose, started.json().id, await wall.mail.codeTo(email.trim().toLowerCase()));
    },
  };
  return browser;
}

let addresses = 0;

export const newAddress = (): string => `person${(addresses += 1)}@example.org`;

/** A code that differs from this one. */
export const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
