import type { CallEndpoint } from '#contract/calls.ts';
import type { Post } from '#contract/posts.ts';
import { isNotFound } from '../../lib/explain-error.ts';

export const tooLate = 'Вернуть уже нельзя: после удаления прошло больше пяти минут.';

/** Restores a post. If the response to an earlier attempt was lost, the post is restored already. */
export async function restorePost(call: CallEndpoint, id: string): Promise<Post> {
  try {
    return await call('POST /posts/{id}/restoration', { params: { id } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return call('GET /posts/{id}', { params: { id } });
  }
}

// Calls for the choices of a person. The stores of choices use them, and the pages of actions for readers without scripts.

/** The subject of choices about an author: to follow or to mute them. */
export const authorSubject = (id: string): string => `author ${id}`;

export const setSaved = (call: CallEndpoint, id: string, isChosen: boolean) =>
  call(isChosen ? 'PUT /posts/{id}/bookmark' : 'DELETE /posts/{id}/bookmark', { params: { id } });

export const setFollowed = (call: CallEndpoint, id: string, isChosen: boolean) =>
  call(isChosen ? 'PUT /posts/{id}/follow' : 'DELETE /posts/{id}/follow', { params: { id } });

export const setAuthorFollowed = (call: CallEndpoint, id: string, isChosen: boolean): Promise<unknown> =>
  call(isChosen ? 'PUT /users/{id}/follow' : 'DELETE /users/{id}/follow', { params: { id } });

/** Marks notifications as read up to the given one. For a removed post of the person, marks the notices of removals up to that post. */
export const setRead = (call: CallEndpoint, upTo: string): Promise<unknown> =>
  call('PUT /users/current/notifications/read', { body: { up_to: upTo } });

export const setMuted = (call: CallEndpoint, authorId: string, muted: boolean): Promise<unknown> =>
  call(muted ? 'PUT /users/current/mutes/{id}' : 'DELETE /users/current/mutes/{id}', { params: { id: authorId } });
