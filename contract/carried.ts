import type { Mentions, Owner } from './posts.ts';

/** The wall as the file of a carried wall describes it. */
export interface CarriedWall {
  name: string;
  line: string | null;
  mark: string | null;
  address: string;
  /** When the file was made, unix seconds. */
  at: number;
  posts: number;
  /** Whose posts and discussions the file has; null: everybody's. */
  of: string | null;
}

export interface CarriedPost {
  id: string;
  /** The index of the author in the part. */
  by: number;
  at: number;
  text: string;
  mentions?: Mentions;
  isModified?: true;
  /** Only of replies: the root post of the discussion and the post that is answered. */
  root?: string;
  to?: string;
}

/** A part of the posts of the file, the newest first, as compressed JSON. */
export interface CarriedPart {
  people: Owner[];
  posts: CarriedPost[];
}

/** The type of the script elements with the parts, and the id of the one with the `CarriedWall`. */
export const carriedType = 'application/gzip';
export const carriedWallId = 'wall';
