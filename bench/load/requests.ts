/** What the connections of a load ask for, one after another. */
export interface RequestSource {
  next(): Buffer;
}

/** Requests ready to send, in a circle: each round of a measurement goes on where the last one stopped. */
export class Requests implements RequestSource {
  #bytes: Buffer[];
  #sent = 0;

  constructor(count: number, path: (i: number) => string, headers: Record<string, string> = {}) {
    const head = Object.entries({ host: 'localhost', ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    this.#bytes = Array.from({ length: count }, (_, i) => Buffer.from(`GET ${path(i)} HTTP/1.1\r\n${head}\r\n`));
  }

  next(): Buffer {
    return this.#bytes[this.#sent++ % this.#bytes.length]!;
  }
}
