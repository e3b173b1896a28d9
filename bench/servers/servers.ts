import { cp, rm } from 'node:fs/promises';
import { type MailServer, startMailServer } from '../../test/smtp.ts';
import { httpGet } from '../http-get.ts';
import type { CapturedAnswer } from './captured-answer.ts';
import { onDisk } from './on-disk.ts';
import { ServerProcess } from './server-process.ts';
import { wallFolder } from './walls.ts';

/** The servers of one run of the bench. An app stays up once started: waiting, it costs nothing. */
export class Servers {
  #apps = new Map<number, Promise<ServerProcess>>();
  #writable: ServerProcess[] = [];
  #folders: string[] = [];
  #mail: Promise<MailServer> | undefined;

  /** Takes the mail of all apps. */
  mail(): Promise<MailServer> {
    return (this.#mail ??= startMailServer());
  }

  /** The app as `npm start` runs it, over a wall of so many posts. */
  app(posts: number): Promise<ServerProcess> {
    let app = this.#apps.get(posts);
    if (!app) {
      app = this.mail().then(async ({ url }) => startApp(await wallFolder(posts), url));
      this.#apps.set(posts, app);
    }
    return app;
  }

  /** The app over a copy of a wall on the project's own disk, to be written to. */
  async writable(posts: number): Promise<ServerProcess> {
    const folder = await onDisk();
    await cp(await wallFolder(posts), folder, { recursive: true });
    this.#folders.push(folder);
    const { url } = await this.mail();
    const app = await startApp(folder, url);
    this.#writable.push(app);
    return app;
  }

  /** The bare server, sending what the app sends for these paths. */
  async raw(app: ServerProcess, paths: string[], headers: Record<string, string> = {}): Promise<ServerProcess> {
    const answers: CapturedAnswer[] = [];
    for (const path of paths) {
      const { headers: sent, body } = await httpGet(app.port, path, headers);
      answers.push({ type: sent['content-type']!, body: body.toString('base64') });
    }
    return ServerProcess.start('bench/servers/raw-server.ts', { input: JSON.stringify(answers) });
  }

  async stop(): Promise<void> {
    for (const app of [...this.#apps.values(), ...this.#writable]) await (await app).stop();
    for (const folder of this.#folders) await rm(folder, { recursive: true });
    await (await this.#mail)?.close();
  }
}

async function startApp(dataDir: string, smtpUrl: string): Promise<ServerProcess> {
  return ServerProcess.start('server/main.ts', {
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: '',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      NODE_ENV: '',
      SMTP_URL: smtpUrl,
      // One address starts more than any honest one would.
      RATE_LIMITS: 'off',
      CODE_RESEND_SECONDS: '0',
      LOG_LEVEL: 'warn',
      // The limiter counts, as it always does; it has no reason to refuse.
      READS_PER_MINUTE: '1000000000',
      CONNECTIONS_PER_IP: '1000000',
    },
  });
}
