import pg from 'pg';
import { type FreshStorage, freshStorage, migratedStorage } from './engines.ts';

/** How changes are ordered: by PostgreSQL's transaction numbers, or, on an engine without them, by the server's own sequencer. */
type OrderName = 'transactions' | 'sequencer';

/** Hides the functions of PostgreSQL that another engine may lack: transaction numbers and snapshots, log positions, the time of the start. */
const hide = `
  set allow_system_table_mods = on;
  update pg_proc set proname = 'hidden_' || proname
    where proname ~ '^(pg_|txid_).*(xact_id|snapshot|wal|lsn|control_|postmaster)|^txid_current'`;

const show = `
  set allow_system_table_mods = on;
  update pg_proc set proname = substr(proname, 8) where proname like 'hidden\\_%'`;

/** The orders that tests can use. At ENGINE_URL the second order needs a superuser, or an engine without transaction numbers. */
export const orders: readonly OrderName[] = await triable(process.env['ENGINE_URL']);

async function triable(url: string | undefined): Promise<OrderName[]> {
  if (!url) return ['transactions', 'sequencer'];
  const { rows } = await query<{ has: boolean; hides: boolean }>(
    url,
    `select to_regproc('pg_current_xact_id') is not null as has, rolsuper as hides from pg_roles where rolname = current_user`,
  );
  const { has, hides } = rows[0]!;
  return [...(has ? ['transactions' as const] : []), ...(hides || !has ? ['sequencer' as const] : [])];
}

/** A new database in which changes are ordered in this way. */
export async function freshOrdered(order: OrderName): Promise<FreshStorage> {
  if (order === 'transactions') return migratedStorage('postgres');
  const fresh = await freshStorage('postgres');
  if (orders.includes('transactions')) await query(fresh.storage.databaseUrl!, hide);
  return fresh;
}

/** Shows the hidden functions again, as if the engine had been upgraded to a version that has them. */
export async function showNumbers(url: string): Promise<void> {
  if (orders.includes('transactions')) await query(url, show);
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client(url);
  await client.connect();
  return client.query<Row>(text).finally(() => client.end());
}
