import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { escapeHtml, excerpt } from '#contract/text-parts.ts';
import { nameInLetter } from '#contract/username.ts';
import type { CitedPart, Letter, PostPart } from '../../../mail/letter.ts';
import { shortMoment } from '../../../mail/notices.ts';
import type { SubscribedLetter } from '../digest-store.ts';
import { unsubscribeToken } from '../notification-routes.ts';
import type { LetterOptions } from './letter-options.ts';

/** Posts in a letter. A link leads to the others. */
export const shownPosts = 100;
/** Of a letter with its HTML, in base64. Mail programs cut longer ones. */
const bytesAtMost = 90_000;
/** The markup of a post. */
const markupBytes = 300;

const wholeText = (text: string): string =>
  text.length <= limits.postLength ? text : excerpt(text, limits.postLength);

const bytesOf = (text: string): number => Buffer.byteLength(text) + Buffer.byteLength(escapeHtml(text));

type Part = Letter['paragraphs'][number];

/** The wall as letters show it. */
export interface LetterWall {
  publicUrl: string;
  /** False on a closed wall whose owner does not let letters contain posts. */
  hasTexts: boolean;
}

/** Adds posts to the paragraphs of a letter as long as there is room. */
export function postWriter({ publicUrl, hasTexts }: LetterWall, parts: Part[]) {
  let bytes = 0;
  let posts = 0;
  const fits = (text: string): boolean => {
    const more = ((bytesOf(text) + markupBytes) * 4) / 3;
    if (posts >= shownPosts || bytes + more > bytesAtMost) return false;
    bytes += more;
    return true;
  };
  return {
    /** False if there is no room. */
    add(
      post: Pick<Post, 'id' | 'text' | 'created_at' | 'owner'>,
      { reason, cited, isReply }: { reason?: string; cited?: CitedPart | undefined; isReply?: true } = {},
    ): boolean {
      const text = hasTexts ? wholeText(post.text) : '';
      if (!fits(text + (cited?.cited ?? ''))) return false;
      posts += 1;
      const at = shortMoment(post.created_at);
      const part: PostPart = {
        author: nameInLetter(post.owner),
        note: reason === undefined ? at : `${reason}, ${at}`,
        text,
        link: publicUrl + addresses.post.href(post),
        label: 'Ответить',
        ...(isReply && { isReply }),
      };
      parts.push(...(cited && hasTexts ? [cited] : []), part);
      return true;
    },
  };
}

export type IsLeftOut = (post: Pick<Post, 'text' | 'owner'>) => boolean;

/** What a post answers, in the words of the person who gets the letter. Undefined if the letter leaves it out. */
export function citedBy({ actions }: Post, userId: number, isLeftOut: IsLeftOut): CitedPart | undefined {
  const { replied_post: post } = actions;
  if (!post || isLeftOut(post)) return undefined;
  const isOwn = post.owner.id === String(userId);
  return { cited: `${isOwn ? 'Вы' : nameInLetter(post.owner)}: ${wholeText(post.text)}` };
}

export const rootIdOf = ({ id, actions }: Post): string => actions.parent_post_id ?? id;

interface Ended {
  userId: number;
  email: string;
  /** The letters that the link in the letter ends. */
  ends: SubscribedLetter;
  why: string;
  discussion?: string;
}

export function subscriptionOf(
  { secrets, wall, now }: LetterOptions,
  { userId, email, ends, why, discussion }: Ended,
): NonNullable<Letter['subscription']> {
  const token = unsubscribeToken(secrets, { id: userId, email, letter: ends }, now());
  return {
    list: ends,
    why,
    unsubscribe: wall.publicUrl + addresses.unsubscribe.href({}, { token }),
    ...(discussion !== undefined && { discussion }),
  };
}
