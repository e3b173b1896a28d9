import { addresses } from '#contract/addresses.ts';

/** The id of the post in a card. */
export function idOf(card: Element): string | null {
  const link = card.querySelector<HTMLAnchorElement>('a[data-permalink]');
  return link && addresses.post.match(link.pathname)!.id;
}
