import { openFresh } from './test/kit/engines.ts';
import { createUser } from './server/features/account/store.ts';
import { createPost, createReply } from './server/features/posts/writes.ts';
import { findThread } from './server/features/posts/thread.ts';
import { listFeed, listRepliesTo } from './server/features/posts/store.ts';
import { sql } from 'kysely';
const engine = process.argv[2] as 'sqlite' | 'postgres';
const { db, close } = await openFresh(engine);
const user = await db.tx((tx) => createUser(tx, { username: 'anna_k', email: 'a@e.org', now: 1 }));
const text = 'Сегодня в парке видела белку, которая несла целую булку. '.repeat(3);
const post = () => db.tx((tx) => createPost(tx, { userId: user, text, now: 1 }));
const reply = (to: number) => db.tx((tx) => createReply(tx, to, { userId: user, text, now: 1 })) as Promise<number>;
// 30 replies in 5 levels
const roots: number[] = [];
for (let r = 0; r < 50; r += 1) {
  const root = await post(); roots.push(root);
  const level: number[][] = [[root], [], [], [], [], []];
  for (let i = 0; i < 30; i += 1) { const d = i < 10 ? 0 : i < 18 ? 1 : i < 24 ? 2 : i < 28 ? 3 : 4; const of = level[d]!; level[d + 1]!.push(await reply(of[i % of.length]!)); }
}
const small = await post(); for (let i = 0; i < 20; i += 1) await reply(small);
const big = await post(); const oneReply = await post(); const only = await reply(oneReply);
const N = Number(process.argv[3] ?? 200000);
for (const [parent, to, depth] of [[big, big, 1], [oneReply, only, 2]] as const) {
  await db.tx(async (tx) => {
    for (let i = 0; i < N; i += 5000) await tx.db.insertInto('posts').values(Array.from({ length: 2000 }, () => ({ user_id: user, text, created_at: 1, parent_post_id: parent, replied_post_id: to, depth }))).execute();
    const n = Math.ceil(N / 5000) * 2000;
    for (let left = N - n; left > 0; left -= 2000) await tx.db.insertInto('posts').values(Array.from({ length: Math.min(left, 2000) }, () => ({ user_id: user, text, created_at: 1, parent_post_id: parent, replied_post_id: to, depth }))).execute();
    await tx.db.updateTable('posts').set({ replies_count: N, thread_count: N }).where('id', '=', to).execute();
  });
}
if (engine === 'postgres') await sql`analyze`.execute(db.read);
const part = (of: number, order: 'newest' | 'oldest' = 'newest') => ({ of, isBranch: false, order, after: undefined, limit: 10 });
async function time(name: string, work: () => Promise<unknown>, n = 300) {
  for (let i = 0; i < 50; i += 1) await work();
  const ts: number[] = [];
  for (let i = 0; i < n; i += 1) { const a = performance.now(); await work(); ts.push(performance.now() - a); }
  ts.sort((a, b) => a - b);
  console.log(name.padEnd(40), 'p50', ts[n >> 1]!.toFixed(3), 'p99', ts[Math.floor(n * 0.99)]!.toFixed(3));
}
let k = 0;
await time('feed', () => listFeed(db.read, { page: 1 }, 10));
await time('replies list', () => listRepliesTo(db.read, big, { page: 1 }, 10));
await time('30 in 5 levels', () => findThread(db.read, roots[k++ % 50]!, part(roots[k % 50]!)));
k = 0;
await time('30 in 5 levels (right)', () => { const r = roots[k++ % 50]!; return findThread(db.read, r, part(r)); });
await time('20 replies', () => findThread(db.read, small, part(small)));
await time('200k direct', () => findThread(db.read, big, part(big)));
await time('200k direct oldest', () => findThread(db.read, big, part(big, 'oldest')));
await time('200k under the only reply', () => findThread(db.read, oneReply, part(oneReply)));
await time('200k, page of only', () => findThread(db.read, only, part(only)));
await time('branch 200k', () => findThread(db.read, oneReply, { of: only, isBranch: true, order: 'oldest', after: only, limit: 10 }));
import { AsyncLocalStorage } from 'node:async_hooks';
void AsyncLocalStorage;
if (process.argv[4]) {
  const r = roots[3]!;
  const { treeNewestFirst, wayTo } = await import('./server/features/posts/thread-queries.ts');
  await time('way', () => wayTo(db.read, { id: r }));
  await time('tree', () => treeNewestFirst(db.read, { of: r, after: Number.MAX_SAFE_INTEGER, limit: 10 }));
}
await close();
