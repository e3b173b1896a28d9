import { Type } from 'typebox';
import { id, idParams, strict } from './common.schema.ts';

export const mutedUser = Type.Object({ id, username: Type.String() }, { ...strict, title: 'MutedUser' });

export const listMutes = { reply: Type.Object({ users: Type.Array(mutedUser) }, strict) };
export const mute = { params: idParams };
export const unmute = { params: idParams };
