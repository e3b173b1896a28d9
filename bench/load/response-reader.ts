const headEnd = '\r\n\r\n';
const longestHead = 2_048;

/** Follows the answers on one keep-alive connection, wherever their bytes are cut into chunks. No pipelining. */
export class ResponseReader {
  status = 0;
  #head = '';
  #bodyLeft = 0;

  /** Takes the next bytes; true when they complete the answer. */
  read(chunk: Buffer): boolean {
    return this.#bodyLeft > 0 ? this.#takeBody(chunk.length) : this.#takeHead(chunk);
  }

  #takeHead(chunk: Buffer): boolean {
    const before = this.#head.length;
    const text = this.#head + chunk.toString('latin1', 0, longestHead);
    // The end itself may have been cut in two.
    const end = text.indexOf(headEnd, Math.max(0, before - headEnd.length));
    if (end < 0) {
      if (text.length >= longestHead) throw new Error('The head of an answer does not end');
      this.#head = text;
      return false;
    }
    const head = text.slice(0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`An answer without content-length: ${head}`);
    this.status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    this.#head = '';
    this.#bodyLeft = Number(length);
    return this.#takeBody(before + chunk.length - end - headEnd.length);
  }

  #takeBody(bytes: number): boolean {
    this.#bodyLeft -= bytes;
    if (this.#bodyLeft < 0) throw new Error('More bytes came than the answer has');
    return this.#bodyLeft === 0;
  }
}
