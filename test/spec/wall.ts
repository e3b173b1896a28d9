import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../kit/free-port.ts';
import { startListening } from '../kit/server-process.ts';
import { Mailbox, Program } from './program.ts';

/** A wall as `npm start` starts it, with the settings as shipped. `await using` ends it. */
export interface Wall extends AsyncDisposable {
  url: string;
  mailbox: Mailbox;
  /** An address without an account. */
  newAddress(): string;
  /** Somebody who uses the wall over HTTP alone, not signed in. */
  visitor(): Program;
  /** The same, with a new account. */
  person(): Promise<Program>;
}

export async function openWall(): Promise<Wall> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-spec-'));
  const server = await startListening('scripts/start.mjs', {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
  });
  const mailbox = new Mailbox(dataDir);
  let addresses = 0;
  const newAddress = (): string => `person${(addresses += 1)}@example.org`;
  const visitor = (): Program => new Program(server.address, mailbox);
  return {
    url: server.address,
    mailbox,
    newAddress,
    visitor,
    async person() {
      const program = visitor();
      await program.enter('registrations', newAddress());
      return program;
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
