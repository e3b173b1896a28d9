import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface Reply {
  headers: IncomingHttpHeaders;
  /** As they came: still compressed when compressed. */
  body: Buffer;
}

/** One request outside any measurement. Unlike fetch it leaves the encoding alone. */
export function httpGet(port: number, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET ${path} answered ${response.statusCode}`));
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject);
    }).on('error', reject);
  });
}
