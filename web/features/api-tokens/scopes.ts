import type { ApiToken } from '#contract/api-tokens.ts';

type Scope = ApiToken['scope'];

export const scopes: ReadonlyArray<{ id: Scope; name: string }> = [
  { id: 'read', name: 'Только читать' },
  { id: 'write', name: 'Читать и писать' },
];

export const scopeName = (scope: Scope): string => scopes.find(({ id }) => id === scope)!.name;
