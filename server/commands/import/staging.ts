import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { limits } from '#contract/limits.ts';
import { normalizeLongText } from '#contract/text.ts';
import { nameOf, usernameBase } from './names.ts';
import type { Skipped, SourceItem, SourcePerson, SourcePost } from './source.ts';

/** Nobody wrote on a wall before 1990: an earlier date comes from a clock that was not set. */
const earliest = Date.UTC(1990, 0) / 1_000;

/** For each reason to skip a line, the numbers of the first few lines are enough to find the fault in the file. */
const namedLines = 5;

const tables = `
  create table person (
    n integer primary key, key text not null unique, name text not null, is_named integer not null, base text not null, at integer not null
  );
  create table message (
    seq integer primary key, source text not null unique, person integer not null, at integer not null, text text not null, reply_to text
  );
  create table liked (message integer not null, person integer not null, at integer not null, primary key (message, person)) without rowid;
  create table post (
    n integer primary key, message integer not null unique, at integer not null, depth integer not null, root integer, replied integer
  );`;

/**
 * A reply with an earlier time than the message above it gets the time of that message and comes right after it. Messages that reply
 * to each other in a circle are below no root and are not imported.
 */
const arrange = `
  create index replies on message (reply_to) where reply_to is not null;
  insert into post (message, at, depth, root, replied)
  with recursive tree (seq, source, at, place, depth, root, replied) as (
    select seq, source, at, seq, 0, null, null from message m
    where reply_to is null or not exists (select 1 from message a where a.source = m.reply_to)
    union all
    select m.seq, m.source, max(m.at, t.at), max(m.seq, t.place), t.depth + 1, coalesce(t.root, t.seq), t.seq
    from tree t cross join message m on m.reply_to = t.source
  )
  select seq, at, depth, root, replied from tree order by at, place, depth, seq;
  create table namesake (n integer primary key, before integer not null);
  insert into namesake select n, row_number() over (partition by base order by n) - 1 from person;`;

export interface StagedPerson {
  n: number;
  name: string;
  base: string;
  at: number;
  /** Number of earlier people with the same base of the username. */
  namesakes: number;
}

export interface StagedPost {
  n: number;
  person: number;
  at: number;
  text: string;
  depth: number;
  root: number | null;
  replied: number | null;
}

export interface StagedLike {
  post: number;
  person: number;
  at: number;
}

export interface Summary {
  people: number;
  posts: number;
  replies: number;
  likes: number;
  /** Replies to messages that the file does not contain. They become root posts. */
  orphans: number;
  /** Texts that are longer than people can write here. */
  long: number;
  longest: number;
  first: number | null;
  last: number | null;
  media: ReadonlyMap<string, number>;
  skipped: ReadonlyMap<Skipped, number>;
  /** For a file with one post per line: the first skipped lines for each reason. */
  lines: ReadonlyMap<Skipped, readonly number[]>;
}

/**
 * The contents of a file, sorted as they are written to the wall. They are kept in a temporary database file, so a large file takes
 * space on the disk and not in memory.
 */
export class Staging implements Disposable {
  /** A database without a name is a temporary file in SQLITE_TMPDIR that is deleted with this process. */
  readonly #db = new DatabaseSync('');
  readonly #statements = new Map<string, StatementSync>();
  readonly #skipped = new Map<Skipped, number>();
  readonly #wallNames: readonly string[];
  readonly #lines = new Map<Skipped, number[]>();
  readonly #media = new Map<string, number>();

  constructor(wallNames: readonly string[]) {
    this.#wallNames = wallNames;
    this.#db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -32000');
    this.#db.exec(tables);
  }

  async take(items: AsyncIterable<SourceItem>, now: number): Promise<void> {
    this.#db.exec('begin');
    for await (const item of items) {
      const reason = 'skipped' in item ? item.skipped : this.#add(item, now);
      if (reason === undefined) continue;
      count(this.#skipped, reason);
      if (item.line !== undefined && this.#skipped.get(reason)! <= namedLines) {
        this.#lines.set(reason, [...(this.#lines.get(reason) ?? []), item.line]);
      }
    }
    this.#db.exec(arrange);
    this.#db.exec('commit');
    const circling = this.#number('select (select count(*) from message) - (select count(*) from post)');
    if (circling > 0) this.#skipped.set('отвечают друг другу по кругу', circling);
  }

  #add({ id, author, at, text: raw, replyTo, likes, media }: SourcePost, now: number): Skipped | undefined {
    if (!(at >= earliest && at <= now)) return 'дата раньше 1990 года или в будущем';
    const text = normalizeLongText(raw);
    if (text === undefined) return 'текст длиннее 100 000 знаков';
    if (text === '') return 'без текста';
    const { changes, lastInsertRowid: seq } = this.#run(
      'insert into message (source, person, at, text, reply_to) values (?, ?, ?, ?, ?) on conflict do nothing',
      [id, this.#personOf(author, at), at, text, replyTo],
    );
    if (changes === 0) return 'номер уже был';
    for (const name of media) count(this.#media, name);
    for (const { at: likedAt = at, ...liker } of likes) {
      const time = likedAt >= at && likedAt <= now ? likedAt : at;
      this.#run('insert into liked values (?, ?, ?) on conflict do nothing', [seq, this.#personOf(liker, time), time]);
    }
    return undefined;
  }

  /** The number of a person. The person's time of joining is the earliest time in the file, the name is the first one known. */
  #personOf({ key, name }: SourcePerson, at: number): number {
    const known = this.#row('select n, at, is_named from person where key = ?', key) as
      | { n: number; at: number; is_named: number }
      | undefined;
    const named = () => [nameOf(name ?? key), usernameBase(name ?? key, this.#wallNames), name === undefined ? 0 : 1];
    if (!known) {
      const query = 'insert into person (key, at, name, base, is_named) values (?, ?, ?, ?, ?)';
      return Number(this.#run(query, [key, at, ...named()]).lastInsertRowid);
    }
    if (at < known.at) this.#run('update person set at = ? where n = ?', [at, known.n]);
    if (name !== undefined && known.is_named === 0)
      this.#run('update person set name = ?, base = ?, is_named = ? where n = ?', [...named(), known.n]);
    return known.n;
  }

  summary(): Summary {
    const row = this.#row(`
      select (select count(*) from person) as people, (select count(*) from liked l join post on post.message = l.message) as likes,
        count(*) filter (where depth = 0) as posts, count(*) filter (where depth > 0) as replies,
        count(*) filter (where depth = 0 and m.reply_to is not null) as orphans,
        count(*) filter (where length(m.text) > ${limits.postLength}) as long, coalesce(max(length(m.text)), 0) as longest,
        min(post.at) as first, max(post.at) as last
      from post join message m on m.seq = post.message`);
    return {
      ...(row as Omit<Summary, 'media' | 'skipped' | 'lines'>),
      media: this.#media,
      skipped: this.#skipped,
      lines: this.#lines,
    };
  }

  /** The people after number `after`, at most `limit`. */
  people(after: number, limit: number): StagedPerson[] {
    return this.#all(
      `select n, name, base, at, before as namesakes from person join namesake using (n)
       where n > ? order by n limit ?`,
      [after, limit],
    ) as StagedPerson[];
  }

  /** The posts after number `after`, at most `limit`. */
  posts(after: number, limit: number): StagedPost[] {
    return this.#all(
      `select p.n, m.person, p.at, m.text, p.depth, root.n as root, replied.n as replied
       from post p join message m on m.seq = p.message
       left join post root on root.message = p.root left join post replied on replied.message = p.replied
       where p.n > ? order by p.n limit ?`,
      [after, limit],
    ) as StagedPost[];
  }

  /** The likes of the posts from number `from` up to `to`. */
  likes(from: number, to: number): StagedLike[] {
    return this.#all(
      `select p.n as post, l.person, max(l.at, p.at) as at from post p join liked l on l.message = p.message
       where p.n between ? and ? order by p.n, l.at, l.person`,
      [from, to],
    ) as StagedLike[];
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #prepared(query: string): StatementSync {
    let statement = this.#statements.get(query);
    if (!statement) this.#statements.set(query, (statement = this.#db.prepare(query)));
    return statement;
  }

  #run(query: string, values: Array<string | number | bigint | null>) {
    return this.#prepared(query).run(...values);
  }

  #row(query: string, ...values: string[]): unknown {
    return this.#prepared(query).get(...values);
  }

  #all(query: string, values: number[]): unknown[] {
    return this.#prepared(query).all(...values);
  }

  #number(query: string): number {
    return Number(Object.values(this.#row(query) as object)[0]);
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
