import { Type } from 'typebox';
import { named } from './common.schema.ts';

export const getWallText = {
  params: Type.Object({ name: Type.String() }),
  reply: named('WallText', {
    name: Type.String(),
    title: Type.String(),
    /** The text below the title, without headings of the first level. */
    html: Type.String(),
    /** The first paragraph without marks, for search engines and previews. */
    summary: Type.String(),
    /** SHA-256 of the file, in hexadecimal digits. A consent names the version it was given to by it. */
    hash: Type.String(),
  }),
};
