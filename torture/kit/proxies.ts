import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/free-port.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { KeptShell } from './kept-shell.ts';

/** A proxy as deploy/ has it, before servers of this machine, on ports of its own. */
export interface Proxy {
  address: string;
  remove(): Promise<void>;
}

export const proxies = ['nginx', 'haproxy'] as const;
export type ProxyName = (typeof proxies)[number];

const start = { nginx: startNginx, haproxy: startHaproxy };
/** A process that came from a shell that ignores TERM goes on doing so in HAProxy; nginx's workers must be told by it. */
const endBy = { nginx: 'TERM', haproxy: 'KILL' };
const readyWithinMs = 10_000;

export async function startProxy(name: ProxyName, serverPorts: readonly number[]): Promise<Proxy> {
  const shell = new KeptShell(name, { will: `kill -${endBy[name]} $proxy; wait` });
  const [plain, port] = [await freePort(), await freePort()];
  const address = `https://127.0.0.1:${port}`;
  try {
    const certificate = makeCertificate(shell.folder);
    await start[name]({ shell, certificate, plain, port, serverPorts });
    await answers(address, shell.folder);
  } catch (error) {
    await shell.end();
    throw error;
  }
  return { address, remove: () => shell.end() };
}

interface Site {
  shell: KeptShell;
  certificate: Certificate;
  plain: number;
  port: number;
  serverPorts: readonly number[];
}

async function startNginx({ shell, certificate, plain, port, serverPorts }: Site): Promise<void> {
  const site = shipped('nginx.conf', [
    [/^ +server 127\.0\.0\.1:3000([^;]*);/m, serverPorts.map((of) => `    server 127.0.0.1:${of}$1;`).join('\n')],
    [/listen 80;\s+listen \[::\]:80;/, `listen 127.0.0.1:${plain};`],
    [/listen 443 (ssl http2);\s+listen \[::\]:443 ssl http2;/, `listen 127.0.0.1:${port} $1;`],
    ['/etc/letsencrypt/live/wall.example.org/fullchain.pem', certificate.certificate],
    ['/etc/letsencrypt/live/wall.example.org/privkey.pem', certificate.key],
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
      ${site}
    }`;
  writeFileSync(join(shell.folder, 'nginx.conf'), whole);
  await shell.run(`nginx -p "$PWD" -e error.log -c nginx.conf & proxy=$!`);
}

async function startHaproxy({ shell, certificate, plain, port, serverPorts }: Site): Promise<void> {
  const pem = join(shell.folder, 'both.pem');
  writeFileSync(pem, `${readFileSync(certificate.certificate, 'utf8')}${readFileSync(certificate.key, 'utf8')}`);
  const whole = shipped('haproxy.cfg', [
    ['    log /dev/log local0\n    user haproxy\n    group haproxy\n', ''],
    ['bind :80', `bind 127.0.0.1:${plain}`],
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['/etc/haproxy/wall.example.org.pem', pem],
    ['    server one 127.0.0.1:3000', serverPorts.map((of) => `    server at-${of} 127.0.0.1:${of}`).join('\n')],
  ]);
  writeFileSync(join(shell.folder, 'haproxy.cfg'), whole);
  await shell.run('haproxy -db -f haproxy.cfg & proxy=$!');
}

/** A file of deploy/ with nothing but what must differ replaced. */
function shipped(file: string, replacements: ReadonlyArray<readonly [string | RegExp, string]>): string {
  let whole = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
  for (const [from, to] of replacements) {
    const replaced = whole.replace(from, to);
    if (replaced === whole) throw new Error(`deploy/${file} has no ${String(from)} any more`);
    whole = replaced;
  }
  return whole;
}

async function answers(address: string, folder: string): Promise<void> {
  for (const deadline = performance.now() + readyWithinMs; performance.now() < deadline; await sleep(20)) {
    const response = await fetch(`${address}/readyz`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`the proxy does not answer:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
}
