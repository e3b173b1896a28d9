import type { Static } from 'typebox';
import type * as schema from './account.schema.ts';
import { endpoint } from './endpoint.ts';

export type CurrentUser = Static<typeof schema.currentUser>;
export type PublicUser = Static<typeof schema.publicUser>;

export const getCurrentUser = endpoint<typeof schema.getCurrentUser>({
  method: 'GET',
  path: '/users/current',
  summary: 'Вошедший пользователь',
  access: 'user',
  tokenScope: 'read',
  status: 200,
  codes: [],
});

export const getUser = endpoint<typeof schema.getUser>({
  method: 'GET',
  path: '/users/{username}',
  summary: 'Автор',
  access: 'public',
  tokenScope: 'read',
  status: 200,
  codes: ['NOT_FOUND'],
});

export const startEmailChange = endpoint<typeof schema.startEmailChange>({
  method: 'PUT',
  path: '/users/current/email',
  summary: 'Начать смену почты: код уходит на новый адрес',
  access: 'user',
  status: 201,
  codes: ['EMAIL_ALREADY_EXISTS', 'DEVICE_NOT_CONFIRMED', 'FORBIDDEN'],
});

export const verifyEmailChange = endpoint<typeof schema.verifyEmailChange>({
  method: 'PUT',
  path: '/users/current/email/{id}/verify',
  summary: 'Сменить почту с кодом',
  access: 'user',
  status: 200,
  codes: ['EMAIL_ALREADY_EXISTS', 'INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED', 'FORBIDDEN'],
});

export const startDeviceConfirmation = endpoint<typeof schema.startDeviceConfirmation>({
  method: 'POST',
  path: '/sessions/current/confirmation',
  summary: 'Подтвердить новое устройство: код уходит на адрес учётной записи',
  access: 'user',
  status: 201,
  codes: [],
});

export const verifyDeviceConfirmation = endpoint<typeof schema.verifyDeviceConfirmation>({
  method: 'POST',
  path: '/sessions/current/confirmation/{id}/verify',
  summary: 'Подтвердить новое устройство с кодом',
  access: 'user',
  status: 204,
  codes: ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'],
});

export const checkUsername = endpoint<typeof schema.checkUsername>({
  method: 'GET',
  path: '/users/{username}/validation',
  summary: 'Свободно ли имя пользователя',
  access: 'user',
  status: 200,
  codes: ['INVALID_USERNAME', 'USERNAME_ALREADY_EXISTS'],
});

export const changeProfile = endpoint<typeof schema.changeProfile>({
  method: 'PATCH',
  path: '/users/current/profile',
  summary: 'Задать имя пользователя',
  access: 'user',
  status: 200,
  codes: ['INVALID_USERNAME', 'USERNAME_ALREADY_EXISTS'],
});

export const exportAccount = endpoint<typeof schema.exportAccount>({
  method: 'GET',
  path: '/users/current/export',
  summary: 'Всё своё одним файлом',
  access: 'user',
  status: 200,
  codes: [],
});

export const startDeletion = endpoint<typeof schema.startDeletion>({
  method: 'POST',
  path: '/users/current/deletion',
  summary: 'Начать удаление учётной записи: код уходит на почту',
  access: 'user',
  status: 201,
  codes: ['FORBIDDEN'],
});

export const verifyDeletion = endpoint<typeof schema.verifyDeletion>({
  method: 'POST',
  path: '/users/current/deletion/{id}/verify',
  summary: 'Удалить учётную запись с кодом',
  access: 'user',
  status: 204,
  codes: ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'],
});
