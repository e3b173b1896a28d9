import type { Client } from 'pg';
import { foreign } from './errors.ts';

interface StoredProgram {
  id: string;
  kind: string;
  /** The name of a function, with its arguments and in quotes where it needs them. */
  name: string;
}

/** Finds what runs by itself or can be called. Everything below 16384 comes with PostgreSQL; _RETURN is the text of a view. */
const programs = `
  select kind || ' ' || oid as id, kind, name from (
    select oid, 'trigger' as kind, tgname::text as name from pg_trigger where not tgisinternal
    union all select oid, 'event trigger', evtname from pg_event_trigger
    union all select oid, 'rule', rulename from pg_rewrite where rulename <> '_RETURN'
    union all select oid, 'policy', polname from pg_policy
    union all select oid, 'function', oid::regprocedure::text from pg_proc
  ) as every where oid >= 16384`;

export async function storedPrograms(client: Client): Promise<StoredProgram[]> {
  return (await client.query<StoredProgram>(programs)).rows;
}

/**
 * Refuses a loaded copy that has added a trigger, a rule or a function, and removes its functions. The list of a copy need
 * not show them, because the text of any of its entries is executed as it is.
 */
export async function refuseAdded(client: Client, before: readonly StoredProgram[]): Promise<void> {
  const known = new Set(before.map(({ id }) => id));
  const added = (await storedPrograms(client)).filter(({ id }) => !known.has(id));
  if (added.length === 0) return;
  for (const { kind, name } of added) {
    if (kind === 'function') await client.query(`drop routine if exists ${name} cascade`);
  }
  throw foreign(added.map(({ kind, name }) => `${kind} ${name}`));
}
