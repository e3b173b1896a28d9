import type { PostPage } from '#contract/posts.ts';
import { normalizePostText } from '#contract/text.ts';
import { ApiError } from '../http/api-error.ts';
import { type ListPlace, type ListQuery, parseId, type PostList, readPlace, toPage } from './rules.ts';

/** Whatever is no id is the id of nothing. */
export function idOf(params: { id: string }): number {
  return orMissing(parseId(params.id));
}

export function placeOf(asked: ListQuery): ListPlace {
  const place = readPlace(asked);
  if (!place) throw new ApiError('INVALID_REQUEST');
  return place;
}

/** The list in the form of the contract, or a refusal where only a cursor leads. */
export function pageOf(list: PostList, limit: number): PostPage {
  if (list.tooDeep) {
    throw new ApiError('INVALID_REQUEST', {
      message:
        'Эта страница слишком далеко, чтобы открыть её по номеру. Передайте cursor: это next из прошлого ответа.',
    });
  }
  return toPage(list, limit);
}

export function acceptText(raw: string): string {
  const result = normalizePostText(raw);
  if (!result.ok) throw new ApiError('INVALID_REQUEST', { message: result.reason });
  return result.text;
}

export function orMissing<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiError('NOT_FOUND');
  return found;
}
