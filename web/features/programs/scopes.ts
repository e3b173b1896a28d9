import type { ProgramToken } from '#contract/programs.ts';

type Scope = ProgramToken['scope'];

export const scopes: ReadonlyArray<{ id: Scope; name: string }> = [
  { id: 'read', name: 'Только читать' },
  { id: 'write', name: 'Читать и писать' },
];

export const scopeName = (scope: Scope): string => scopes.find(({ id }) => id === scope)!.name;
