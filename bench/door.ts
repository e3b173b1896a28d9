import type { MailServer } from '../test/smtp.ts';

const device = { userAgent: 'Bench', userAgentVersion: '1', os: 'Linux' };
const clientToken = 'bench';

async function post(port: number, path: string, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Starts a registration as a browser would. */
export const startRegistration = (port: number, email: string): Promise<Response> =>
  post(port, '/registrations', { email, clientToken, device });

/** The access token of an address, through the door and the mail. */
export async function signIn(port: number, mail: MailServer, email: string): Promise<string> {
  const { id } = (await (await startRegistration(port, email)).json()) as { id: string };
  const confirmCode = await mail.codeTo(email);
  const entered = await post(port, `/registrations/${id}/verify`, { confirmCode, clientToken });
  const { accessToken } = (await entered.json()) as { accessToken: { token: string } };
  return accessToken.token;
}
