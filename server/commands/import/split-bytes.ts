import { WrongFile } from './source.ts';

/** Maximum size of a value. A larger one is skipped, so that no file needs more memory. */
const valueBytes = 4 * 2 ** 20;
/** Maximum size of the beginning of an export, which has the name and the kind of the chat. */
const headBytes = 2 ** 20;

/** One value of a file; null for a value that is too large to be read into memory. */
export type Bytes = Buffer | null;

/** Gathers bytes that come in several chunks, up to a size. */
class Gathering {
  #parts: Buffer[] = [];
  #size = 0;
  readonly #atMost: number;

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= this.#atMost) this.#parts.push(part);
    else this.#parts = [];
  }

  take(): Bytes {
    const taken = this.#size <= this.#atMost ? Buffer.concat(this.#parts) : null;
    this.#parts = [];
    this.#size = 0;
    return taken;
  }
}

const newLine = 0x0a;

export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Bytes> {
  const line = new Gathering(valueBytes);
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, from)) {
      line.add(chunk.subarray(from, end));
      from = end + 1;
      yield line.take();
    }
    line.add(chunk.subarray(from));
  }
  yield line.take();
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Follows the strings and brackets of JSON, byte by byte. It does not check the JSON. */
class Structure {
  /** The number of objects and arrays that are open. */
  depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Returns the byte if it is a bracket or a comma outside strings, otherwise 0. */
  read(byte: number): number {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      return 0;
    }
    if (byte === quote) this.#isInString = true;
    else if (byte === openBrace || byte === openBracket) this.depth += 1;
    else if (byte === closeBrace || byte === closeBracket) this.depth -= 1;
    else if (byte !== comma) return 0;
    return byte;
  }
}

/** The name of an array is looked for in this many bytes before the array. */
const keyBytes = 100;

/** The depth inside the object of the file, and inside an array in this object. */
const [inObject, inArray] = [1, 2];

/** Splits the array that is the value of `key` in the object of a file. */
class ArraySplitter {
  isFound = false;
  isDone = false;
  readonly #key: string;
  readonly #structure = new Structure();
  #gathering = new Gathering(headBytes);
  #endOfLastChunk = Buffer.alloc(0);

  constructor(key: string) {
    this.#key = key;
  }

  /** Yields what ends in this chunk: the part before the array, made a complete object, and values of the array. */
  *split(chunk: Buffer): Generator<Bytes> {
    let from = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      const mark = this.#structure.read(chunk[i]!);
      if (mark === 0) continue;
      const { depth } = this.#structure;
      if (!this.isFound) {
        if (mark !== openBracket || depth !== inArray || !this.#endsWithKey(chunk.subarray(0, i))) continue;
        yield this.#begin(chunk.subarray(from, i));
        from = i + 1;
      } else if (mark === comma && depth === inArray) {
        yield this.#take(chunk.subarray(from, i));
        from = i + 1;
      } else if (depth === inObject) {
        this.isDone = true;
        const last = this.#take(chunk.subarray(from, i));
        if (last === null || last.toString().trim() !== '') yield last;
        return;
      }
    }
    this.#gathering.add(chunk.subarray(from));
    this.#endOfLastChunk = Buffer.concat([this.#endOfLastChunk, chunk.subarray(-keyBytes)]).subarray(-keyBytes);
  }

  #endsWithKey(start: Buffer): boolean {
    const near = Buffer.concat([this.#endOfLastChunk, start.subarray(-keyBytes)]);
    return new RegExp(`"${this.#key}"\\s*:\\s*$`).test(near.toString('latin1'));
  }

  #begin(part: Buffer): Buffer {
    const before = this.#take(part);
    if (before === null) throw new WrongFile(missing(this.#key));
    this.isFound = true;
    this.#gathering = new Gathering(valueBytes);
    return Buffer.concat([before, Buffer.from('[]}')]);
  }

  #take(part: Buffer): Bytes {
    this.#gathering.add(part);
    return this.#gathering.take();
  }
}

/** The first result is the part of the file before the array, made a complete object. The others are the values of the array. */
export async function* elementsOf(chunks: AsyncIterable<Buffer>, key: string): AsyncGenerator<Bytes> {
  const splitter = new ArraySplitter(key);
  for await (const chunk of chunks) {
    yield* splitter.split(chunk);
    if (splitter.isDone) return;
  }
  throw new WrongFile(splitter.isFound ? 'Файл обрывается посередине: экспортируйте чат ещё раз.' : missing(key));
}

const missing = (key: string): string =>
  `В файле нет списка «${key}». Нужен result.json с экспортом одного чата или канала, а не всей учётной записи.`;

/** Parses JSON; undefined when it is invalid. */
export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString().replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
