const headEnd = '\r\n\r\n';
const maxHeadLength = 2_048;

/** Finds the ends of the responses on one keep-alive connection, however their bytes are split into chunks. No pipelining. */
export class ResponseReader {
  status = 0;
  #head = '';
  #bodyLeft = 0;

  /** Reads the next bytes; true when they complete the response. */
  read(chunk: Buffer): boolean {
    return this.#bodyLeft > 0 ? this.#readBody(chunk.length) : this.#readHead(chunk);
  }

  #readHead(chunk: Buffer): boolean {
    const before = this.#head.length;
    const text = this.#head + chunk.toString('latin1', 0, maxHeadLength);
    // The end of the head may itself be split.
    const end = text.indexOf(headEnd, Math.max(0, before - headEnd.length));
    if (end < 0) {
      if (text.length >= maxHeadLength) throw new Error('The head of a response does not end');
      this.#head = text;
      return false;
    }
    const head = text.slice(0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`A response without content-length: ${head}`);
    this.status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    this.#head = '';
    this.#bodyLeft = Number(length);
    return this.#readBody(before + chunk.length - end - headEnd.length);
  }

  #readBody(bytes: number): boolean {
    this.#bodyLeft -= bytes;
    if (this.#bodyLeft < 0) throw new Error('More bytes than the response has');
    return this.#bodyLeft === 0;
  }
}
