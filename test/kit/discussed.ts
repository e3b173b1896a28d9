import type { Wall } from './wall.ts';

interface Discussed {
  posts: Array<{ id: string; last_reply: { id: string; owner: { username: string }; text: string } | null }>;
  lifted_by: string[];
  next: string | null;
}

export const discussed = async (wall: Wall, query = ''): Promise<Discussed> =>
  (await wall.get(`/api/v1/posts/discussed${query}`)).json;

export const idsOf = async (wall: Wall, query = ''): Promise<number[]> =>
  (await discussed(wall, query)).posts.map(({ id }) => Number(id));
