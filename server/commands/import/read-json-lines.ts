import { AjvCompiler } from '@fastify/ajv-compiler';
import schema from './line.schema.json' with { type: 'json' };
import type { SourceItem } from './source.ts';
import { linesOf, parsed } from './split-bytes.ts';

/** `line.schema.json` describes it. */
interface Line {
  id: string;
  author: string;
  name?: string;
  date: number | string;
  text: string;
  reply_to?: string | null;
  likes?: string[];
}

const validatorOf = AjvCompiler()(
  {},
  { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
);
const isLine = validatorOf({ schema }) as (line: unknown) => line is Line;

/** Reads a file in which each line is a post. */
export async function* readJsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
  let line = 0;
  for await (const bytes of linesOf(chunks)) {
    line += 1;
    if (bytes === null) yield { skipped: 'больше 4 МБ', line };
    else if (bytes.length > 0 && bytes.toString().trim() !== '') yield { ...itemOf(parsed(bytes)), line };
  }
}

function itemOf(line: unknown): SourceItem {
  if (!isLine(line)) return { skipped: 'не разобрать' };
  const { id, author, name, date, text, reply_to: replyTo = null, likes = [] } = line;
  const at = typeof date === 'number' ? date : Date.parse(date) / 1_000;
  return {
    id,
    author: { key: author, name },
    at: Math.floor(at),
    text,
    replyTo,
    likes: likes.map((key) => ({ key, name: undefined })),
    media: [],
  };
}
