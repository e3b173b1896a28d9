import { type BoundFunctions, configure, queries, within } from '@testing-library/dom';

// A state that is waited for may take long on a busy machine; nothing waits longer than it must.
configure({ asyncUtilTimeout: 20_000, getElementError: (message) => new Error(message?.split('\n\n')[0]) });

export type Queries = BoundFunctions<typeof queries>;

type ByRole = (element: HTMLElement, role: string, options?: { name?: unknown }) => unknown;

/** Names are compared with ordinary spaces and without soft hyphens, which the app's own texts contain. */
const withPlainNames = Object.fromEntries(
  Object.entries(queries).map(([key, query]) => [key, key.endsWith('ByRole') ? withPlainName(query as ByRole) : query]),
) as typeof queries;

function withPlainName(query: ByRole): ByRole {
  return (element, role, options = {}) => {
    const { name } = options;
    if (typeof name !== 'string' && !(name instanceof RegExp)) return query(element, role, options);
    const fits = (given: string): boolean => {
      const plain = plainText(given);
      return typeof name === 'string' ? plain === name : name.test(plain);
    };
    return query(element, role, { ...options, name: fits });
  };
}

export const queriesIn = (element: Element): Queries => within(element as HTMLElement, withPlainNames);

/** The text of an element with ordinary single spaces. */
export const textOf = (element: Element | null): string => plainText(element?.textContent ?? '');

const plainText = (text: string): string => text.replaceAll('\u00ad', '').replaceAll(/\s+/g, ' ').trim();
