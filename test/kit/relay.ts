import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards TCP connections to another local port. The target can change, and the traffic can be paused. */
export class Relay implements AsyncDisposable {
  /** The number of round trips, each a request and its response, on all connections. */
  roundTrips = 0;
  /** The number of connections that were made, including those that the target has refused. */
  connections = 0;
  #server: Server;
  #target: number;
  #sockets = new Set<Socket>();

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => this.#passOn(near, connect(this.#target, '127.0.0.1')));
  }

  static async to(target: number): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Closes the open connections; new ones go to the new target. */
  pointTo(target: number): void {
    this.#target = target;
    this.cut();
  }

  /** Stops forwarding without closing the connections. */
  hold(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  goOn(): void {
    for (const socket of this.#sockets) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }

  /** Closes the open connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #passOn(near: Socket, far: Socket): void {
    this.connections += 1;
    let isAnswered = true;
    far.on('data', () => (isAnswered = true));
    near.on('data', () => {
      if (isAnswered) this.roundTrips += 1;
      isAnswered = false;
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
