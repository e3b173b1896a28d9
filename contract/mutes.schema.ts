import { Type } from 'typebox';
import { idParams, strict } from './common.schema.ts';
import { owner } from './posts.schema.ts';

export const listMutes = { reply: Type.Object({ users: Type.Array(owner) }, strict) };
export const mute = { params: idParams };
export const unmute = { params: idParams };
