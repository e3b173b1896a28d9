import type { Post } from '#contract/posts.ts';
import { Answer, jsonType } from '../http/answer.ts';

const notLiked = '"is_liked":false';
const liked = '"is_liked":true';

/**
 * An answer with posts as visitors get it, from which each viewer's own is made without building it again. In a text
 * the quotation marks are escaped, so what is looked for stands only where a post says whether it is liked.
 */
export class PostsAnswer extends Answer {
  /** The posts in the order in which the body speaks of them, quoted ones too. */
  readonly ids: readonly number[];
  #json: string;

  constructor(value: unknown, posts: readonly Post[]) {
    const json = JSON.stringify(value);
    super(json, jsonType);
    this.#json = json;
    this.ids = posts.flatMap(({ id, actions: { replied_post: quoted } }) =>
      quoted ? [Number(id), Number(quoted.id)] : [Number(id)],
    );
  }

  /** The body for somebody who likes these posts. */
  bodyFor(likedIds: ReadonlySet<number>): string {
    if (likedIds.size === 0) return this.#json;
    const pieces: string[] = [];
    let from = 0;
    for (const id of this.ids) {
      const at = this.#json.indexOf(notLiked, from);
      pieces.push(this.#json.slice(from, at), likedIds.has(id) ? liked : notLiked);
      from = at + notLiked.length;
    }
    pieces.push(this.#json.slice(from));
    return pieces.join('');
  }
}
