import type { CallEndpoint } from '#contract/endpoint.ts';
import { blockWaiting } from '#contract/moderation.ts';

/** Blocks everybody whose posts from a time wait, some people with each call. Resolves to what was done, in words. */
export async function blockAllOf(
  call: CallEndpoint,
  body: { since: number; until: number; reason: string },
): Promise<string> {
  const done = { people: 0, posts: 0 };
  for (let isLeft = true; isLeft;) {
    const { people, posts, left } = await call(blockWaiting, { body });
    done.people += people;
    done.posts += posts;
    isLeft = left;
  }
  return `Заблокировано людей: ${done.people}. Убрано записей: ${done.posts}`;
}
