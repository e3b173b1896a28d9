import { apiPrefix } from '#contract/endpoint.ts';
import type { Row } from '#contract/table.ts';

export interface Wall {
  publicUrl: string;
  /** Name of the session cookie. */
  sessionCookie: string;
}

/** The command that makes a call with the values of its example. It reads what is secret from `$TOKEN` or `$SESSION`. */
export function curlCommand({ endpoint, example }: Row, { publicUrl, sessionCookie }: Wall): string {
  const { method, access } = endpoint;
  const params = (example.params ?? {}) as Record<string, string>;
  const query = Object.entries((example.query ?? {}) as Record<string, string>);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const plain = query.filter(([, value]) => encodeURIComponent(value) === value);
  const others = query.filter(([, value]) => encodeURIComponent(value) !== value);
  const search = plain.length > 0 ? `?${plain.map(([name, value]) => `${name}=${value}`).join('&')}` : '';
  return [
    [
      'curl',
      ...(others.length > 0 ? ['--get'] : []),
      ...(method === 'GET' || (method === 'POST' && example.body) ? [] : ['-X', method]),
      quoted(publicUrl + apiPrefix + path + search),
    ].join(' '),
    ...others.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(access === 'user' ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(access === 'cookie' ? [`-H ${quoted(`Origin: ${publicUrl}`)}`, `-b "${sessionCookie}=$SESSION"`] : []),
    ...(example.body ? [`--json ${quoted(JSON.stringify(example.body))}`] : []),
  ].join(' \\\n  ');
}

/** One word of a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
