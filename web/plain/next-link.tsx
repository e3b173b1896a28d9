import type { PlainContext } from './plain-page.ts';

interface NextLinkProps {
  context: Pick<PlainContext, 'path' | 'query'>;
  next: string | null | undefined;
}

/** Leads to the next page of a list. */
export function NextLink({ context: { path, query }, next }: NextLinkProps) {
  if (!next) return null;
  const onward = new URLSearchParams(query);
  onward.set('cursor', next);
  return (
    <p>
      <a href={`${path}?${onward}`} rel="next">
        Дальше
      </a>
    </p>
  );
}
