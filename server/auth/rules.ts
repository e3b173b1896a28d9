import { randomBytes, randomInt } from 'node:crypto';
import { limits } from '#contract/limits.ts';

export type SignInPurpose = 'login' | 'registration';
export type Purpose = SignInPurpose | 'email-change' | 'deletion' | 'device';

export const triesPerOperation = 5;
export const newOperationId = (): string => randomBytes(16).toString('base64url');

export const newCode = (): string => String(randomInt(10 ** limits.codeLength)).padStart(limits.codeLength, '0');
