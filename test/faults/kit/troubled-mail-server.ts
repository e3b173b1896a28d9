import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** It is not running; accepts connections and sends nothing; replies 451; closes connections in the middle of a mail. */
export const troubles = ['away', 'silent', 'busy', 'breaking off'] as const;
export type Trouble = (typeof troubles)[number];

const accepting: Record<string, string> = {
  EHLO: '250 troubled',
  MAIL: '250 go on',
  RCPT: '250 go on',
  DATA: '354 go on',
  RSET: '250 done',
  QUIT: '221 bye',
};

const replies: Record<Exclude<Trouble, 'away' | 'silent'>, Record<string, string>> = {
  busy: { ...accepting, RCPT: '451 later' },
  'breaking off': accepting,
};

/** Resolves to a function that ends the trouble. */
export async function startTroubledMailServer(port: number, trouble: Trouble): Promise<() => Promise<void>> {
  if (trouble === 'away') return async () => {};
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (trouble !== 'silent') converse(socket, replies[trouble]);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    // Open connections stay silent, so that their clients have to give up by themselves.
    if (trouble === 'silent') return;
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
}

function converse(socket: Socket, replyTo: Record<string, string>): void {
  let isMail = false;
  socket.write('220 troubled\r\n');
  socket.on('data', (chunk: Buffer) => {
    // The connection breaks at the first bytes of the mail.
    if (isMail) return socket.destroy();
    const command = chunk.toString().slice(0, 4).toUpperCase();
    socket.write(`${replyTo[command] ?? '502 what'}\r\n`);
    isMail = command === 'DATA';
  });
}
