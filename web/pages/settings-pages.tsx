import { addresses } from '#contract/addresses.ts';
import { formPageRow } from './form-page.tsx';

/** The pages of the first rows of the menu, which the specification names. */
const accountPages = [
  formPageRow({
    address: addresses.settingsEmail,
    heading: 'Электронная почта',
    file: () => import('./settings/email.tsx'),
    name: 'email',
  }),
  formPageRow({
    address: addresses.settingsUsername,
    heading: 'Имя пользователя',
    file: () => import('./settings/profile.tsx'),
    name: 'username',
  }),
  formPageRow({
    address: addresses.settingsDevices,
    heading: 'Устройства',
    file: () => import('./settings/devices.tsx'),
    name: 'devices',
  }),
];

/** Pages that are rarely needed. */
const dataPages = [
  formPageRow({
    address: addresses.settingsData,
    heading: 'Мои данные',
    file: () => import('./settings/stored-data.tsx'),
    name: 'storedData',
  }),
  formPageRow({
    address: addresses.settingsApiTokens,
    heading: 'Токены для программ',
    file: () => import('./settings/api-tokens.tsx'),
    name: 'apiTokens',
  }),
  formPageRow({
    address: addresses.settingsDeletion,
    heading: 'Удаление',
    title: 'Удаление учётной записи',
    file: () => import('./settings/account-deletion.tsx'),
    name: 'deletion',
  }),
];

const otherPages = [
  formPageRow({
    address: addresses.settingsProfile,
    heading: 'Профиль',
    file: () => import('./settings/profile.tsx'),
    name: 'profile',
  }),
  formPageRow({
    address: addresses.settingsNotifications,
    heading: 'Уведомления и письма',
    file: () => import('./settings/notification-settings.tsx'),
    name: 'notificationSettings',
  }),
  formPageRow({
    address: addresses.settingsMuted,
    heading: 'Кого и что не показывать',
    file: () => import('./settings/muted.tsx'),
    name: 'muted',
  }),
  formPageRow({
    address: addresses.settingsInvitations,
    heading: 'Приглашения',
    file: () => import('./settings/invitations.tsx'),
    name: 'invitations',
  }),
  formPageRow({
    address: addresses.settingsDataAndPrograms,
    heading: 'Данные и программы',
    file: async () => ({ data: (await import('./settings/settings-menu.tsx')).dataAndProgramsOf(dataPages) }),
    name: 'data',
  }),
];

export const settingsPages = [
  formPageRow({
    address: addresses.settings,
    heading: 'Настройки',
    file: async () => ({ menu: (await import('./settings/settings-menu.tsx')).menuOf(accountPages, otherPages) }),
    name: 'menu',
  }),
  ...accountPages,
  ...otherPages,
  ...dataPages,
  formPageRow({
    address: addresses.settingsDevice,
    heading: 'Сеанс',
    file: () => import('./settings/device.tsx'),
    name: 'device',
  }),
];
