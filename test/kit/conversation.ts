import { recount } from '../../server/commands/verify-data/recount.ts';
import type { Engine } from './engines.ts';
import { type Member, publish, register } from './member.ts';
import { openWall, type Wall } from './wall.ts';

/** In the texts of the post and of the reply. */
export const secret = 'то, что передумали';

export const undo = (member: Member, id: string) => member.send('POST', `/posts/${id}/restoration`);

export const differences = (wall: Pick<Wall, 'db'>): Promise<unknown[]> => Array.fromAsync(recount(wall.db.read));

/** Anna's post, Boris's reply and Clara's reply to that. Everybody likes everything. */
export async function conversation(engine: Engine) {
  const wall = await openWall(engine, { RATE_LIMITS: 'off' });
  const people = [await register(wall), await register(wall), await register(wall)] as const;
  const [anna, boris, clara] = people;
  const post = await publish(anna, `корень: ${secret}`);
  const reply = await publish(boris, `ответ: ${secret}`, `/posts/${post.id}/replies`);
  const nested = await publish(clara, 'ответ на ответ', `/posts/${reply.id}/replies`);
  for (const member of people) {
    for (const { id } of [post, reply, nested]) await member.send('POST', `/posts/${id}/likes`);
  }
  return { wall, people, anna, boris, clara, post, reply, nested };
}
