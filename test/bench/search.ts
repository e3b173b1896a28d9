import type { Engine } from '../kit/engines.ts';
import { milliseconds } from '../measurements/numbers.ts';
import { pageAfter, randomIds } from '../measurements/paths.ts';
import { below, type Figure } from '../measurements/report.ts';
import { Requests } from '../measurements/requests.ts';
import { runLoad } from '../measurements/run-load.ts';
import type { Bench, Scenario } from './rounds.ts';

const posts = 1_000_000;
const sampledPages = 50;
const queries = 5_000;
const wordsAtMost = 5;
const underMs = 20;

/** A query of so many words, from random posts. */
interface Kind {
  name: string;
  query(sample: Sample, words: number): string;
}

/** Any words of the wall: frequent ones, rare ones, and combinations that no post has. */
const anyWords: Kind = {
  name: 'one to five words',
  query: (sample, words) => Array.from({ length: words }, () => sample.word()).join(' '),
};

const phrases: Kind = { name: 'phrases', query: (sample, words) => `"${sample.phrase(Math.max(2, words))}"` };

const dated: Kind = {
  name: 'words of a month',
  query: (sample, words) => `${anyWords.query(sample, Math.min(words, 2))} ${sample.month()}`,
};

const kinds = [anyWords, phrases, dated];

const scenario = (name: string, engine: Engine): Scenario => ({
  name,
  async measure(bench) {
    const { address, port } = await bench.servers.demoOn(engine, posts);
    const texts = await sampledTexts(address);
    const figures: Figure[] = [];
    for (const kind of kinds) figures.push(await measure(bench, port, kind, texts));
    return figures.map((figure) => ({ ...figure, what: `${figure.what}, ${engine}` }));
  },
});

export const search = scenario('search', 'sqlite');
export const searchPostgres = scenario('search-postgres', 'postgres');

/** Addresses of searches for what is in these texts. */
function searchPaths({ query }: Kind, texts: readonly Text[]): string[] {
  const sample = new Sample(texts);
  return Array.from({ length: queries }, (_, i) => {
    return `/api/v1/posts/search?${new URLSearchParams({ q: query(sample, 1 + (i % wordsAtMost)) })}`;
  });
}

async function measure({ seconds }: Bench, port: number, kind: Kind, texts: readonly Text[]): Promise<Figure> {
  const requests = new Requests(searchPaths(kind, texts));
  const { p50Ms, p99Ms, maxMs, count } = await runLoad({ port, requests, seconds, connections: 1 });
  return below(
    `search for ${kind.name}, 1,000,000 posts`,
    p99Ms,
    underMs,
    `p99 of ${count} queries, one at a time; p50 ${milliseconds(p50Ms)}, max ${milliseconds(maxMs)}`,
  );
}

interface Text {
  words: readonly string[];
  createdAt: number;
}

/** Words as often as they occur: a frequent word is asked for frequently. */
class Sample {
  #texts: readonly Text[];
  #words: readonly string[];
  #random = randomIds(queries * (wordsAtMost + 2), 2 ** 30).values();

  constructor(texts: readonly Text[]) {
    this.#texts = texts;
    this.#words = texts.flatMap(({ words }) => words);
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.#random.next().value! % items.length]!;
  }

  word(): string {
    return this.#one(this.#words);
  }

  phrase(length: number): string {
    const { words } = this.#one(this.#texts);
    const from = this.#random.next().value! % Math.max(1, words.length - length);
    return words.slice(from, from + length).join(' ');
  }

  month(): string {
    const day = new Date(this.#one(this.#texts).createdAt * 1_000).toISOString().slice(0, 8);
    return `с:${day}01 по:${day}28`;
  }
}

async function sampledTexts(address: string): Promise<Text[]> {
  const texts: Text[] = [];
  for (const id of randomIds(sampledPages, posts)) {
    const page = (await (await fetch(address + pageAfter(id))).json()) as {
      posts: Array<{ text: string; created_at: number }>;
    };
    for (const { text, created_at: createdAt } of page.posts) {
      texts.push({ words: text.match(/\p{L}+/gu) ?? [''], createdAt });
    }
  }
  return texts;
}
