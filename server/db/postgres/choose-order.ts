import type pg from 'pg';
import type { Order } from './order.ts';
import { SequencerOrder } from './sequencer-order.ts';
import { TransactionOrder } from './transaction-order.ts';

/** The order that the tables were made for; for tables to come, the one that the engine can have. */
export async function chooseOrder(client: pg.Client, hasTables: boolean): Promise<Order> {
  const isByTransactions = hasTables
    ? "to_regclass('sequencer') is null"
    : "to_regproc('pg_current_xact_id') is not null";
  const { rows } = await client.query<{ yes: boolean }>(`select ${isByTransactions} as yes`);
  return rows[0]!.yes ? new TransactionOrder() : new SequencerOrder();
}
