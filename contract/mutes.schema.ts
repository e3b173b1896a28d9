import { Type } from 'typebox';
import { idParams, object } from './common.schema.ts';
import { owner } from './posts.schema.ts';

export const listMutes = { reply: object({ users: Type.Array(owner) }) };
export const mute = { params: idParams };
export const unmute = { params: idParams };
