import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { freePort } from './free-port.ts';
import { SupervisedShell } from './supervised-shell.ts';

/** A proxy with the configuration of deploy/, on local ports. */
export interface Proxy extends AsyncDisposable {
  address: string;
  port: number;
  /** The port on which it listens without TLS. */
  redirectPort: number;
  /** The whole log of the proxy so far. */
  logged(): string;
}

export const proxies = ['nginx', 'haproxy'] as const;
export type ProxyName = (typeof proxies)[number] | 'caddy';

const start = { nginx: startNginx, haproxy: startHaproxy, caddy: startCaddy };
/** HAProxy ignores TERM if the shell that started it does; nginx passes TERM on to its workers. */
const endBy = { nginx: 'TERM', haproxy: 'KILL', caddy: 'KILL' };
const readyWithinMs = 60_000;

/** The reason why nginx cannot be used here; undefined if it can. */
export async function lacksNginx(): Promise<string | undefined> {
  return spawnSync('nginx', ['-v']).error && 'nginx is not on the PATH';
}

/** `plain` serves the site without TLS, which only nginx and Caddy do. */
export async function startProxy(
  name: ProxyName,
  serverPorts: readonly number[],
  { plain = false } = {},
): Promise<Proxy> {
  const shell = new SupervisedShell(name, { cleanUp: `kill -${endBy[name]} $proxy; wait` });
  const [redirectPort, port] = [await freePort(), await freePort()];
  const address = `${plain ? 'http' : 'https'}://127.0.0.1:${port}`;
  try {
    await start[name]({ shell, certificate: makeCertificate(shell.folder), redirectPort, port, plain, serverPorts });
    await ready(address, shell.folder);
  } catch (error) {
    await shell.end();
    throw error;
  }
  const logged = () =>
    readdirSync(shell.folder)
      .filter((file) => file.endsWith('log'))
      .map((file) => readFileSync(join(shell.folder, file), 'utf8'))
      .join('');
  return { address, port, redirectPort, logged, [Symbol.asyncDispose]: () => shell.end() };
}

interface Site {
  shell: SupervisedShell;
  certificate: Certificate;
  /** The port that redirects to the site. */
  redirectPort: number;
  port: number;
  plain: boolean;
  serverPorts: readonly number[];
}

async function startNginx({ shell, certificate, redirectPort, port, plain, serverPorts }: Site): Promise<void> {
  const site = shipped('nginx.conf', [
    [/^ +server 127\.0\.0\.1:3000([^;]*);/m, serverPorts.map((of) => `    server 127.0.0.1:${of}$1;`).join('\n')],
    [/listen 80;\s+listen \[::\]:80;/, `listen 127.0.0.1:${redirectPort};`],
    [
      /listen 443 (ssl http2);\s+listen \[::\]:443 ssl http2;/,
      plain ? `listen 127.0.0.1:${port};` : `listen 127.0.0.1:${port} $1;`,
    ],
    [/\/var\/log\/nginx/g, shell.folder],
    ['/etc/letsencrypt/live/wall.example.org/fullchain.pem', certificate.certificate],
    ['/etc/letsencrypt/live/wall.example.org/privkey.pem', certificate.key],
    unavailablePage,
  ]);
  const whole = `
    daemon off;
    pid ${shell.folder}/nginx.pid;
    error_log ${shell.folder}/error.log;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_rlimit_nofile 65536;
    events { worker_connections 16384; }
    http {
      access_log off;
      client_body_temp_path ${shell.folder}/bodies;
      proxy_temp_path ${shell.folder}/responses;
      fastcgi_temp_path ${shell.folder}/fastcgi;
      uwsgi_temp_path ${shell.folder}/uwsgi;
      scgi_temp_path ${shell.folder}/scgi;
      ${site}
    }`;
  writeFileSync(join(shell.folder, 'nginx.conf'), whole);
  await shell.run(`nginx -p "$PWD" -e error.log -c nginx.conf & proxy=$!`);
}

async function startHaproxy({ shell, certificate, redirectPort, port, serverPorts }: Site): Promise<void> {
  const pem = join(shell.folder, 'both.pem');
  writeFileSync(pem, `${readFileSync(certificate.certificate, 'utf8')}${readFileSync(certificate.key, 'utf8')}`);
  const whole = shipped('haproxy.cfg', [
    ['/dev/log', 'stdout format raw'],
    ['    user haproxy\n    group haproxy\n', ''],
    ['bind :80', `bind 127.0.0.1:${redirectPort}`],
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['/etc/haproxy/wall.example.org.pem', pem],
    unavailablePage,
    [/ {4}server one 127\.0\.0\.1:3000$/m, serverPorts.map((of) => `    server at-${of} 127.0.0.1:${of}`).join('\n')],
    [
      '    server one 127.0.0.1:3000 track stena/one',
      serverPorts.map((of) => `    server at-${of} 127.0.0.1:${of} track stena/at-${of}`).join('\n'),
    ],
  ]);
  writeFileSync(join(shell.folder, 'haproxy.cfg'), whole);
  await shell.run('haproxy -db -f haproxy.cfg & proxy=$!');
}

/** Starts Caddy without TLS. Requests are logged in the format in which the shipped file logs errors. */
async function startCaddy({ shell, redirectPort, port, serverPorts }: Site): Promise<void> {
  const whole = shipped('Caddyfile', [
    ['{\n', '{\n\tadmin off\n\tauto_https off\n'],
    ['http://{$HOST_NAME:wall.example.org}', `http://127.0.0.1:${redirectPort}`],
    [
      '{$HOST_NAME:wall.example.org} {\n',
      `http://127.0.0.1:${port} {\n\tlog {\n${/\t\tformat filter \{.*?\n\t\t\}\n/s.exec(shippedText('Caddyfile'))![0]}\t}\n`,
    ],
    ['{$WALL:127.0.0.1:3000}', serverPorts.map((of) => `127.0.0.1:${of}`).join(' ')],
    unavailablePage,
  ]);
  writeFileSync(join(shell.folder, 'Caddyfile'), whole);
  await shell.run('HOME="$PWD" caddy run --config Caddyfile & proxy=$!');
}

const unavailablePage = [
  /\/opt\/stena\/deploy(?=\/unavailable\.html|\})/g,
  join(import.meta.dirname, '../../deploy'),
] as const;

const shippedText = (file: string): string => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');

/** A file of deploy/ with replacements. Each replacement must match. */
function shipped(file: string, replacements: ReadonlyArray<readonly [string | RegExp, string]>): string {
  let whole = shippedText(file);
  for (const [from, to] of replacements) {
    const replaced = whole.replace(from, to);
    if (replaced === whole) throw new Error(`deploy/${file} does not contain ${String(from)}`);
    whole = replaced;
  }
  return whole;
}

export interface Certificate {
  certificate: string;
  key: string;
}

/** Creates a certificate for the loopback addresses in a folder. This process trusts it from then on. */
export function makeCertificate(folder: string): Certificate {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const of = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '2'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const args = ['req', '-x509', ...kind, ...of, '-keyout', key, '-out', certificate];
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);
  return { certificate, key };
}

async function ready(address: string, folder: string): Promise<void> {
  for (const deadline = performance.now() + readyWithinMs; performance.now() < deadline; await sleep(20)) {
    const response = await fetch(`${address}/readyz`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`the proxy does not respond:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
}
