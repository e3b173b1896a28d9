import { WrongFile } from './source.ts';

/** A larger value is left out, so that no file needs more memory. */
const valueBytes = 4 * 2 ** 20;
/** An export begins with the name and the kind of the chat. */
const headBytes = 2 ** 20;

/** One value of a file; null: it is too large to be read into memory. */
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

/** As many bytes before an array are looked at for its key. */
const keyBytes = 100;

/** The depth inside the object of the file, and inside an array in it. */
const [inObject, inArray] = [1, 2];

/**
 * Splits the array that is the value of `key` in the object of the file. Looks at no value itself: only at strings, brackets
 * and commas. The first value is what stands before the array, made a complete object.
 */
export async function* elementsOf(chunks: AsyncIterable<Buffer>, key: string): AsyncGenerator<Bytes> {
  const head = new RegExp(`"${key}"\\s*:\\s*$`);
  let gathering = new Gathering(headBytes);
  let endOfLast = Buffer.alloc(0);
  let [depth, inString, isEscaped, isFound] = [0, false, false, false];
  for await (const chunk of chunks) {
    let from = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i]!;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) inString = false;
      } else if (byte === quote) {
        inString = true;
      } else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (isFound || depth !== inArray || byte !== openBracket) continue;
        const near = Buffer.concat([endOfLast, chunk.subarray(Math.max(0, i - keyBytes), i)]);
        if (!head.test(near.toString('latin1'))) continue;
        gathering.add(chunk.subarray(from, i));
        const before = gathering.take();
        if (before === null) throw new WrongFile(missing(key));
        isFound = true;
        from = i + 1;
        gathering = new Gathering(valueBytes);
        yield Buffer.concat([before, Buffer.from('[]}')]);
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (!isFound || depth !== inObject) continue;
        gathering.add(chunk.subarray(from, i));
        const last = gathering.take();
        if (last === null || last.toString().trim() !== '') yield last;
        return;
      } else if (byte === comma && isFound && depth === inArray) {
        gathering.add(chunk.subarray(from, i));
        from = i + 1;
        yield gathering.take();
      }
    }
    gathering.add(chunk.subarray(from));
    endOfLast = Buffer.concat([endOfLast, chunk.subarray(-keyBytes)]).subarray(-keyBytes);
  }
  throw new WrongFile(isFound ? 'Файл обрывается посередине: экспортируйте чат ещё раз.' : missing(key));
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
