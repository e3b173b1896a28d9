import { Type } from 'typebox';
import { call, type TypesOf } from './call.ts';
import { named } from './schemas.ts';

/** A text about the wall: a text of the operator, or the description of the API. */
export type WallText = TypesOf<typeof wallTextCalls>['GET /documents/{name}']['reply'];

export const wallTextCalls = {
  'GET /documents/{name}': call({
    name: 'getWallText',
    says: 'Документ стены: about, rules, privacy, consent или api',
    access: 'public',
    scope: 'read',
    codes: ['NOT_FOUND'],
    params: Type.Object({ name: Type.String() }),
    reply: named('WallText', {
      name: Type.String(),
      title: Type.String(),
      /** The text below the title, without headings of the first level. */
      html: Type.String(),
      /** The first paragraph without marks, for search engines and previews. */
      summary: Type.String(),
      /** SHA-256 of the Markdown, for `api` of the HTML, in hexadecimal digits. The stored consent of a person contains this hash. */
      hash: Type.String(),
    }),
    example: {
      params: { name: 'rules' },
      reply: {
        name: 'rules',
        title: 'Правила',
        html: '<p>Пишите так, как говорили бы с соседями.</p>\n',
        summary: 'Пишите так, как говорили бы с соседями.',
        hash: '6b1b36cbb04b41490bfc0ab2bfa26f86b1b36cbb04b41490bfc0ab2bfa26f861',
      },
    },
  }),
};
