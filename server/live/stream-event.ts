/** The bytes of an event, made once for all the streams that get it. */
export class StreamEvent {
  /** The bytes with the framing of a chunk. Clients of HTTP/1.0 get the bytes alone. */
  readonly chunk: Buffer;
  readonly bytes: Buffer;

  constructor(text: string) {
    const size = Buffer.byteLength(text);
    const head = `${size.toString(16)}\r\n`;
    this.chunk = Buffer.from(`${head}${text}\r\n`);
    this.bytes = this.chunk.subarray(head.length, head.length + size);
  }
}
