import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Browser } from '../kit/sign-in.ts';
import type { ModelWall } from './model-wall.ts';
import { type KnownPost, Oracle, type Person, rootOf } from './oracle.ts';
import { type View, Views } from './views.ts';

/** The kinds of acts by their relative frequency. */
const kinds = {
  1: ['unlike', 'unmute', 'gate', 'open', 'unfollow-author', 'face', 'drop-word'],
  2: ['mute', 'follow', 'unfollow', 'follow-author', 'visit', 'close'],
  3: ['follow-word', 'hide-word', 'remove', 'restore', 'approve', 'read', 'pass', 'edit'],
  4: ['like', 'undo'],
  5: ['post', 'delete'],
  8: ['reply'],
} as const;

type Kind = (typeof kinds)[keyof typeof kinds][number];

/** An act of a sequence. It may be impossible: then it must be refused. */
interface Act {
  act: Kind;
  /** The index of the person: one of three people, or the moderator. */
  who: number;
  /** The index of the post, counted back from the latest one. */
  on: number;
  /** The index of the person who is mentioned, muted or followed, of the time of `pass` or the face of `face`, or the size of `gate`. */
  choice: number;
}

/** The words of each choice in a text, and the word that is chosen with it. */
const choices = ['Лифты', 'лифта #двор', '#Двор', ''] as const;
const chosenWords = ['лифт', '#двор'] as const;

const weighted = Object.entries(kinds).map(([times, of]) => ({
  weight: Number(times) * of.length,
  arbitrary: fc.constantFrom<Kind>(...of),
}));
const recent = fc.oneof(fc.constant(0), fc.nat(4));
const act = fc.tuple(fc.oneof(...weighted), fc.nat(3), recent, fc.nat(3)).map((parts) => parts.join(' '));

/** Parses a line such as `reply 1 0 2`: the kind, `who`, `on` and `choice`. */
function actFrom(line: string): Act {
  const [kind, ...numbers] = line.split(' ');
  const [who, on, choice] = numbers.map(Number) as [number, number, number];
  return { act: kind as Kind, who, on, choice };
}

export const sequences = fc.array(act, { minLength: 1, maxLength: 16, size: 'max' });

/** The times that can pass, and whether the jobs run then. A deletion can be taken back in its 300th second; posts wait for an hour. */
const passes: ReadonlyArray<readonly [seconds: number, runsJobs: boolean]> = [
  [60, false],
  [300, false],
  [301, false],
  [3_600, true],
];
/** More than a week, sometimes in place of an hour: then a discussion is no longer lively. */
const longPass = [8 * 86_400, true] as const;

const faces = [null, '🦊', '🌙', '🐻'] as const;

/** Lets new people act on the wall, and compares what they see with the oracle after each act. */
export async function play(wall: ModelWall, acts: readonly string[]): Promise<void> {
  const game = new Play(wall, await wall.newPeople(), (await wall.get('/api/v1/posts?limit=1')).json.total);
  try {
    for (const [i, each] of acts.entries()) await game.step(actFrom(each), i);
    await game.compareAll();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\nafter ${game.done.join(', ')}`, { cause: error });
  } finally {
    await game.end();
  }
}

const codes: Readonly<Record<number, string>> = { 400: 'INVALID_REQUEST', 403: 'FORBIDDEN', 404: 'NOT_FOUND' };

interface Asked {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  due: number;
  /** The expected error code of a refusal, if the status does not determine it. */
  code?: string;
  /** The body of the response, unless the act is refused. */
  reply?: unknown;
}

class Play {
  readonly done: string[] = [];
  #wall: ModelWall;
  #browsers: ReadonlyMap<Person, Browser>;
  #people: readonly Person[];
  #oracle: Oracle;
  #views: Views;

  constructor(wall: ModelWall, browsers: ReadonlyMap<Person, Browser>, others: number) {
    this.#wall = wall;
    this.#browsers = browsers;
    this.#people = [...browsers.keys()];
    this.#oracle = new Oracle(this.#people, wall.clock.now);
    this.#views = new Views(this.#oracle, others);
  }

  async step({ act: kind, who, on, choice }: Act, i: number): Promise<void> {
    const { posts } = this.#oracle;
    const somebody = this.#people[who]!;
    const latest = posts.at(-1 - on) ?? posts.at(-1);
    const isOnRoot = (kind === 'close' || kind === 'open') && choice > 1;
    const chosen = isOnRoot && latest ? rootOf(latest) : latest;
    const post = kind === 'read' ? this.#readable(somebody, on) : chosen;
    const by = choice === 0 ? somebody : (this.#usual(kind, post) ?? somebody);
    this.done.push(`${i}: ${by.owner.username} ${kind} ${post?.id ?? ''} (${choice})`);
    const isDone = await this.#take(kind, by, post, choice, on);
    const another = this.#people[i % 4]!;
    const concerned = kind === 'post' || kind === 'reply' ? posts.at(-1) : post;
    await this.#compare(isDone ? this.#concerned(kind, by, concerned, another) : [this.#views.feed(another)]);
  }

  /** A post that the bell of a person counts, or, if there is none, the latest post, which cannot be marked as read. */
  #readable(person: Person, on: number): KnownPost | undefined {
    const removed = this.#oracle.posts.filter((post) => post.by === person && post.state === 'removed');
    return [...person.notified.map(({ post }) => post), ...removed].at(-1 - on) ?? this.#oracle.posts.at(-1);
  }

  /** The person who is allowed to do this act, so that most acts are possible. */
  #usual(kind: Kind, post: KnownPost | undefined): Person | undefined {
    if (kind === 'remove' || kind === 'restore' || kind === 'approve') return this.#people.at(-1);
    return kind === 'edit' || kind === 'delete' || kind === 'undo' || kind === 'close' || kind === 'open'
      ? post?.by
      : undefined;
  }

  /** Does an act. Resolves to whether it succeeded. */
  async #take(kind: Kind, by: Person, post: KnownPost | undefined, choice: number, on: number): Promise<boolean> {
    const whom = this.#people[choice]!;
    if (kind === 'pass') return this.#pass(...(choice === 3 && on > 2 ? longPass : passes[choice]!));
    if (kind === 'gate') {
      this.#oracle.gate = choice;
      await this.#wall.setGate(choice);
      return true;
    }
    if (kind === 'face') return this.#wear(by, faces[choice]!);
    // On an empty wall only a new post is possible.
    if (kind === 'post' || !post) return this.#write(by, undefined, whom);
    if (kind === 'reply') return this.#write(by, post, whom);
    if (kind === 'edit') return this.#edit(by, post, whom);
    if (kind === 'approve') return this.#approve(by, post);
    if (kind === 'visit' && post.state === 'waits') return false;
    const asked = this.#asked(kind, by, post, whom);
    const json = await this.#send(by, asked);
    if (asked.due < 400 && asked.reply !== undefined) assert.deepEqual(json, asked.reply);
    return asked.due < 400;
  }

  #asked(
    kind: Exclude<Kind, 'pass' | 'gate' | 'face' | 'post' | 'reply' | 'edit' | 'approve'>,
    by: Person,
    on: KnownPost,
    whom: Person,
  ): Asked {
    const oracle = this.#oracle;
    const path = `/posts/${on.id}`;
    const reading = '/users/current/notifications/read';
    const mute = `/users/current/mutes/${whom.owner.id}`;
    const author = `/users/${whom.owner.id}/follow`;
    const body = { reason: 'Не по правилам стены' };
    const word = chosenWords[this.done.length % 2]!;
    const words = `/users/current/words/${encodeURIComponent(word)}`;
    const likes = () => ({ likes_count: this.#views.post(on, by).actions.likes_count });
    switch (kind) {
      case 'like':
        return { method: 'POST', path: `${path}/likes`, due: oracle.like(by, on), reply: likes() };
      case 'unlike':
        return { method: 'DELETE', path: `${path}/likes`, due: oracle.unlike(by, on), reply: likes() };
      case 'delete':
        return { method: 'DELETE', path, due: oracle.delete(by, on) };
      case 'undo':
        return {
          method: 'POST',
          path: `${path}/restoration`,
          due: oracle.undo(by, on),
          reply: this.#views.post(on, by),
        };
      case 'follow':
        return { method: 'PUT', path: `${path}/follow`, due: oracle.follow(by, on, true), reply: { following: true } };
      case 'unfollow':
        return {
          method: 'DELETE',
          path: `${path}/follow`,
          due: oracle.follow(by, on, false),
          reply: { following: false },
        };
      case 'close':
        return { method: 'PUT', path: `${path}/closure`, due: oracle.close(by, on, true) };
      case 'open':
        return { method: 'DELETE', path: `${path}/closure`, due: oracle.close(by, on, false) };
      case 'follow-author':
        return { method: 'PUT', path: author, due: oracle.followAuthor(by, whom) };
      case 'unfollow-author':
        return { method: 'DELETE', path: author, due: oracle.unfollowAuthor(by, whom) };
      case 'follow-word':
        return { method: 'PUT', path: words, due: oracle.chooseWord(by, word, 'follow'), body: { kind: 'follow' } };
      case 'hide-word':
        return { method: 'PUT', path: words, due: oracle.chooseWord(by, word, 'hide'), body: { kind: 'hide' } };
      case 'drop-word':
        return { method: 'DELETE', path: words, due: oracle.chooseWord(by, word, undefined) };
      case 'mute':
        return { method: 'PUT', path: mute, due: oracle.mute(by, whom) };
      case 'unmute':
        return { method: 'DELETE', path: mute, due: oracle.unmute(by, whom) };
      case 'remove':
        return { method: 'POST', path: `/moderation${path}/removal`, due: oracle.remove(by, on, body.reason), body };
      case 'restore':
        return { method: 'POST', path: `/moderation${path}/restoration`, due: oracle.restore(by, on), body };
      case 'read':
        return { method: 'PUT', path: reading, due: oracle.read(by, on), body: { up_to: on.id } };
      case 'visit': {
        const place = { list: `thread:${rootOf(on).id}`, post_id: on.id };
        return { method: 'PUT', path: '/users/current/reading', due: 200, body: place, reply: oracle.visit(by, on) };
      }
    }
  }

  async #wear(by: Person, face: string | null): Promise<true> {
    const path = '/users/current/profile';
    const json = await this.#send(by, { method: 'PATCH', path, due: 200, body: { face } });
    assert.equal(json.face, face);
    by.owner = { ...by.owner, face };
    return true;
  }

  async #send(by: Person, { method, path, body, due, code = codes[due] }: Asked) {
    const response = await this.#browsers.get(by)!.send(method, path, body);
    const json = response.body === '' ? undefined : response.json();
    assert.deepEqual([response.statusCode, json?.code], [due, code], `${by.owner.username}: ${method} ${path}`);
    return json;
  }

  async #write(by: Person, repliedTo: KnownPost | undefined, whom: Person): Promise<boolean> {
    const mentioned = whom === by ? undefined : whom;
    const text =
      `Текст ${this.#oracle.posts.length} от ${by.owner.username}, для @${whom.owner.username} ${choices[(this.done.length + this.#people.indexOf(whom)) % 4]!}`.trim();
    const due = this.#oracle.judge(by, repliedTo);
    const path = repliedTo ? `/posts/${repliedTo.id}/replies` : '/posts';
    const code = due === 403 ? { code: 'DISCUSSION_CLOSED' } : {};
    const json = await this.#send(by, { method: 'POST', path, due, body: { text }, ...code });
    if (due !== 201 && due !== 202) return false;
    const { id } = due === 202 ? json.pending : json;
    const post = this.#oracle.write({ id, text, by, mentioned, repliedTo }, due);
    if (due === 201) assert.deepEqual(json, this.#views.post(post, by));
    return true;
  }

  /**
   * Changes a post and publishes another one at the same time, so that SQLite writes both in one commit. PostgreSQL would write them
   * in any order, and the notifications of both have that order.
   */
  async #edit(by: Person, post: KnownPost, whom: Person): Promise<boolean> {
    const text = `Правка ${this.done.length}: ${post.text} ${choices[this.done.length % 4]!}`.trim();
    const judged = this.#oracle.edit(by, post, text);
    const refusal = judged === 'expired' ? { due: 403, code: 'EDIT_PERIOD_EXPIRED' } : { due: judged };
    const asked: Asked = { method: 'PATCH', path: `/posts/${post.id}`, body: { text }, ...refusal };
    const sent = this.#send(by, asked);
    if (this.#wall.db.engine === 'postgres') await sent;
    const [json] = await Promise.all([sent, this.#write(by, undefined, whom)]);
    if (judged === 200) assert.deepEqual(json, this.#views.post(post, by));
    return true;
  }

  async #approve(by: Person, post: KnownPost): Promise<boolean> {
    const mayApprove = by.isModerator && post.state === 'waits';
    const path = `/moderation/posts/${post.id}/approval`;
    const json = await this.#send(by, { method: 'POST', path, due: mayApprove ? 200 : 404 });
    if (!mayApprove) return false;
    assert.equal(json.post_id !== null, this.#oracle.isPublishable(post));
    this.#oracle.letThrough(post, json.post_id);
    return true;
  }

  async #pass(seconds: number, runsJobs: boolean): Promise<true> {
    this.#oracle.now += seconds;
    await this.#wall.pass(seconds);
    if (runsJobs) await this.#wall.runJobs();
    for (const post of runsJobs ? this.#oracle.runJobs() : []) {
      this.#oracle.letThrough(post, this.#oracle.isPublishable(post) ? await this.#idOf(post) : null);
    }
    return true;
  }

  /** Finds the id of a post that has waited: it is published under a new id. */
  async #idOf({ by, text, repliedTo }: KnownPost): Promise<string> {
    const list = repliedTo ? '/posts/replies?limit=50' : `/posts?userId=${by.owner.id}&limit=50`;
    const { posts } = (await this.#browsers.get(by)!.send('GET', list)).json();
    const found = posts.find((post: { text: string }) => post.text === text);
    return found?.id ?? assert.fail(`“${text}” should have appeared`);
  }

  /** The views that an act may have changed, for the person who acted, the author of the post and `another` person. */
  #concerned(kind: Kind, by: Person, post: KnownPost | undefined, another: Person): View[] {
    const views = this.#views;
    const unread = [views.notifications(by), views.bell(by), views.following(by)];
    if (kind === 'follow-word' || kind === 'hide-word' || kind === 'drop-word') return [...unread, views.words(by)];
    if (kind === 'mute' || kind === 'unmute' || kind === 'read') return unread;
    if (kind === 'face') return [views.user(by, another), views.notifications(another), views.feed(another)];
    if (!post) return [views.feed(another)];
    if (kind === 'visit' || kind === 'unfollow-author') return unread;
    if (kind === 'follow-author') return [...unread, views.user(another, by)];
    const follow = [views.follow(post, by), views.following(by)];
    if (kind === 'follow' || kind === 'unfollow') return follow;
    const shown = [views.feed(by), views.thread(rootOf(post), another), views.page(post, post.by)];
    if (kind === 'like' || kind === 'unlike') return [...shown, views.liked(by)];
    if (post.state !== 'shown' || post.by !== by) shown.push(views.withdrawn(post.by), views.bell(post.by));
    if (kind === 'edit') shown.push(views.found(by, another));
    if (kind === 'reply') shown.push(...follow);
    if (kind !== 'edit') shown.push(views.discussed(another));
    return [...shown, views.notifications(another), views.following(another)];
  }

  /** Compares a quarter of each person's lists and a quarter of each post's pages. The part changes with the number of posts and acts. */
  async compareAll(): Promise<void> {
    const views = this.#views;
    const { posts } = this.#oracle;
    const turn = posts.length + this.done.length;
    const seen = this.#people.flatMap((person, i) => {
      const next = this.#people[(i + 1) % 4]!;
      return [
        [views.postsOf(person, next), views.ownReplies(person), views.notifications(person), views.muted(person)],
        [views.repliesOf(person, next), views.liked(person), views.following(person), views.waiting(person)],
        [views.user(person, next), views.withdrawn(person), views.bell(person), views.feed(person)],
        [views.found(person, next), views.people(person)],
      ][(turn + i) % 4]!;
    });
    for (const [i, post] of posts.entries()) {
      const pages = [views.page, views.thread, views.replies, views.follow] as const;
      seen.push(pages[(turn + i) % 4]!.call(views, post, this.#people[i % 4]!));
    }
    await this.#wall.countBest();
    await this.#compare([...seen, views.feed(undefined), views.discussed(undefined), views.best(undefined)]);
  }

  async #compare(views: readonly View[]): Promise<void> {
    const ours = new Set(this.#people.map(({ owner }) => owner.id));
    await Promise.all(
      views.map(async ({ path, by, due, part = (json: unknown) => json }) => {
        const headers = by ? { authorization: `Bearer ${this.#browsers.get(by)!.token}` } : {};
        const { status, json } = await this.#wall.get(`/api/v1${path}`, headers);
        const seen = status === 200 ? part(json as never, ({ owner }) => ours.has(owner.id)) : [status, json.code];
        assert.deepEqual(seen, due ?? [404, 'NOT_FOUND'], `${by?.owner.username ?? 'a visitor'}: GET ${path}`);
      }),
    );
  }

  async end(): Promise<void> {
    if (this.#oracle.posts.some(({ state }) => state === 'waits')) await this.#wall.forgetWaiting();
    if (this.#oracle.gate > 0) await this.#wall.setGate(0);
    // The wall would leave a word with many followers to a job, which also tells those who have followed it since.
    if (this.#people.some(({ words }) => words.size > 0)) await this.#wall.forgetWords();
  }
}
