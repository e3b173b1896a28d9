import type { Post } from '#contract/posts.ts';
import type { Database } from '../db/database.ts';
import { Answer, jsonType, PersonalJson } from '../http/answer.ts';
import { findLiked } from './liked.ts';
import { orMissing } from './requests.ts';
import { findPost } from './store.ts';

const key = '"is_liked":';
const notLiked = `${key}false`;
/** As long as `false`: white space may stand there. */
const liked = 'true ';

/**
 * An answer with posts as visitors get it, from which each viewer's own is made by writing over a few bytes. In a text
 * the quotation marks are escaped, so what is looked for stands only where a post says whether it is liked.
 */
export class PostsAnswer extends Answer {
  /** The posts in the order in which the body speaks of them, quoted ones too. */
  readonly ids: readonly number[];
  /** Those that anybody likes at all. */
  readonly likedIds: readonly number[];
  #places: number[] | undefined;

  constructor(value: unknown, posts: readonly Post[]) {
    super(JSON.stringify(value), jsonType);
    const shown = posts.flatMap((post) => {
      const quoted = post.actions.replied_post;
      return quoted ? [post, quoted] : [post];
    });
    this.ids = shown.map(({ id }) => Number(id));
    this.likedIds = this.ids.filter((_, i) => shown[i]!.actions.likes_count > 0);
  }

  /** The body for somebody who likes these posts. */
  bodyFor(theirs: ReadonlySet<number>): Buffer {
    if (theirs.size === 0) return this.body;
    const places = (this.#places ??= this.#findPlaces());
    const body = Buffer.from(this.body);
    for (const [i, id] of this.ids.entries()) if (theirs.has(id)) body.write(liked, places[i]!, 'latin1');
    return body;
  }

  /** Where the body says of each of the posts whether it is liked. */
  #findPlaces(): number[] {
    let from = 0;
    return this.ids.map(() => {
      from = this.body.indexOf(notLiked, from) + key.length;
      return from;
    });
  }
}

/** The answer for one person: their own likes are put into it. */
export async function personalTo(userId: number, db: Database, answer: PostsAnswer): Promise<PersonalJson> {
  return new PersonalJson(answer.bodyFor(await findLiked(db.read, userId, answer.likedIds)));
}

/** A post as it is now, for one person. */
export async function personalPost(db: Database, id: number, userId: number): Promise<PersonalJson> {
  const post = orMissing(await findPost(db.read, id));
  return personalTo(userId, db, new PostsAnswer(post, [post]));
}
