import { lexemesOfText, stem, tagLexeme, tagsIn, wordsIn } from '#contract/lexemes.ts';
import { type CarriedPart, type CarriedPost, carriedType } from '#contract/carried.ts';
import type { Owner } from '#contract/posts.ts';

export interface ArchivedPost extends Omit<CarriedPost, 'by'> {
  owner: Owner;
  /** The direct replies, the oldest first. */
  replies: readonly ArchivedPost[];
  /** Replies of all levels. */
  size: number;
}

/** Posts that the search reads before it lets the page react. */
const searchedAtOnce = 1_000;

export interface FoundPosts {
  /** The newest first. */
  posts: readonly ArchivedPost[];
  /** All posts have been searched. */
  isAll: boolean;
}

/** One array for all posts without replies: there may be hundreds of thousands. */
const none: readonly ArchivedPost[] = [];

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

async function readPart(base64: string): Promise<CarriedPart> {
  const chars = atob(base64);
  const bytes = new Uint8Array(chars.length);
  // `Uint8Array.from` takes several times as long.
  for (let i = 0; i < chars.length; i += 1) bytes[i] = chars.charCodeAt(i);
  const text = new Response(bytes).body!.pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(text).json()) as CarriedPart;
}

/** All posts of the file. */
export class Archive {
  /** The newest first. */
  readonly posts: ArchivedPost[] = [];
  readonly roots: ArchivedPost[] = [];
  readonly byId = new Map<string, ArchivedPost>();
  readonly people = new Map<string, Owner>();
  /** The posts of each discussion whose root is in the file, and of those whose root has been deleted. */
  readonly discussions = new Map<string, ArchivedPost[]>();
  /** The replies to posts that have not been read yet, the newest first. */
  #repliesTo = new Map<string, ArchivedPost[]>();
  /** The posts with each lexeme, of the posts that the search has read. */
  #found = new Map<string, ArchivedPost[]>();
  /** The same by the forms of words: a stem takes longer than all the rest of the search. */
  #foundByForm = new Map<string, ArchivedPost[]>();
  #searched = 0;

  /** Reads the parts of the document. Calls `onRead` after the first part, and each time when there are twice as many: rendering takes time. */
  async read(onRead: () => void): Promise<void> {
    let next = 1;
    for (let parts = 1, script; (script = document.querySelector(`script[type="${carriedType}"]`)); parts += 1) {
      const { people, posts } = await readPart(script.textContent);
      script.remove();
      for (const person of people) this.people.set(person.id, person);
      for (const { by, ...post } of posts) this.#add({ ...post, owner: people[by]!, replies: none, size: 0 });
      if (parts === next) {
        onRead();
        next *= 2;
      }
    }
  }

  /** The parts are in order, so each post is older than all before it: its replies are known. */
  #add(post: ArchivedPost): void {
    const rootId = post.root ?? post.id;
    const discussion = this.discussions.get(rootId);
    post.replies = this.#repliesTo.get(post.id)?.toReversed() ?? none;
    this.#repliesTo.delete(post.id);
    if (post.to !== undefined) {
      const siblings = this.#repliesTo.get(post.to);
      if (siblings) siblings.push(post);
      else this.#repliesTo.set(post.to, [post]);
    }
    if (post.root === undefined) {
      post.size = discussion?.length ?? 0;
      this.roots.push(post);
    }
    if (discussion) discussion.push(post);
    else this.discussions.set(rootId, [post]);
    this.posts.push(post);
    this.byId.set(post.id, post);
  }

  postsOf(personId: string): ArchivedPost[] {
    return this.posts.filter(({ owner }) => owner.id === personId);
  }

  /** The replies that stand directly below the root: those to it, and those to posts that the file lacks. */
  firstRepliesOf(rootId: string): ArchivedPost[] {
    const discussion = this.discussions.get(rootId) ?? [];
    return discussion.filter(({ to }) => to !== undefined && (to === rootId || !this.byId.has(to))).toReversed();
  }

  /** Finds the posts that contain all words of the query in any form. The first search reads all texts, and shows meanwhile what it has found. */
  async find(query: string, show: (found: FoundPosts) => void, signal: AbortSignal): Promise<void> {
    const [first, ...others] = lexemesOfText(query).map((lexeme) => this.#postsWith(lexeme));
    const found = () => {
      const sets = others.map((posts) => new Set(posts));
      return first?.filter((post) => sets.every((set) => set.has(post))) ?? [];
    };
    for (let next = this.#searched; this.#searched < this.posts.length; await nextTask()) {
      if (signal.aborted) return;
      if (this.#searched >= next) {
        show({ posts: found(), isAll: false });
        next = this.#searched * 2 + searchedAtOnce;
      }
      for (const post of this.posts.slice(this.#searched, this.#searched + searchedAtOnce)) this.#index(post);
    }
    if (!signal.aborted) show({ posts: found(), isAll: true });
  }

  #index(post: ArchivedPost): void {
    const note = (posts: ArchivedPost[]) => posts.at(-1) !== post && posts.push(post);
    for (const { form } of wordsIn(post.text)) {
      let posts = this.#foundByForm.get(form);
      if (!posts) this.#foundByForm.set(form, (posts = this.#postsWith(stem(form))));
      note(posts);
    }
    for (const { tag } of tagsIn(post.text)) note(this.#postsWith(tagLexeme(tag)));
    this.#searched += 1;
  }

  #postsWith(lexeme: string): ArchivedPost[] {
    const posts = this.#found.get(lexeme) ?? [];
    this.#found.set(lexeme, posts);
    return posts;
  }
}
