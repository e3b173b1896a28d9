import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/free-port.ts';

const published = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url));
/** As the published text asks for. */
const [descriptors, connections] = [65_536, 16_384];
const patienceMs = 10_000;

export interface Nginx {
  port: number;
  stop(): Promise<void>;
}

export async function lacksNginx(): Promise<string | undefined> {
  return spawnSync('nginx', ['-v']).error && 'nginx is not on the PATH';
}

/** nginx as deploy/nginx.conf has it, but on a plain port of its own before servers of ours. */
export async function startNginx(servers: readonly string[]): Promise<Nginx> {
  const port = await freePort();
  const http = onPlainPort(readFileSync(published, 'utf8'), port, servers);
  const folder = await mkdtemp(join(tmpdir(), 'stena-nginx-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, whole(folder, http));
  const child = spawn('nginx', ['-e', join(folder, 'error.log'), '-p', folder, '-c', file], { stdio: 'inherit' });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  };
  try {
    await listening(child, port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

const whole = (folder: string, http: string): string => `
  daemon off;
  master_process off;
  pid ${folder}/pid;
  error_log ${folder}/error.log;
  worker_rlimit_nofile ${descriptors};
  events { worker_connections ${connections}; }
  http {
    access_log off;
    client_body_temp_path ${folder}/bodies;
    proxy_temp_path ${folder}/answers;
    fastcgi_temp_path ${folder}/none;
    uwsgi_temp_path ${folder}/none;
    scgi_temp_path ${folder}/none;
    ${http}
  }`;

/** The published text without what needs a name, a certificate or port 443. */
function onPlainPort(text: string, port: number, servers: readonly string[]): string {
  const upstreams = servers.map((address) => `server ${new URL(address).host};`).join('\n');
  const plain = text
    .replace(/server \{\s+listen 80;[^}]*\}/, '')
    .replace(/^ +listen 443 .*$/m, `    listen 127.0.0.1:${port};`)
    .replace(/^ +listen \[::\].*$/m, '')
    .replace(/^ +ssl_.*$/gm, '')
    .replace(/server 127\.0\.0\.1:3000[^;]*;/, upstreams);
  if (!plain.includes(upstreams) || /^ *(listen (80|443)|ssl_)/m.test(plain))
    throw new Error('deploy/nginx.conf has another form by now');
  return plain;
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(20)) {
    if (child.exitCode !== null) break;
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error('nginx did not start');
}
