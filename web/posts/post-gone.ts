import { ApiError } from '../lib/api-error.ts';

export const postGone = 'Сообщение не найдено';

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_FOUND';
