import { addresses } from '#contract/addresses.ts';
import { formPage, type FormPageOptions } from './form-page.tsx';
import type { MenuLink } from './settings/settings-menu.tsx';

/** A page with a row in a menu, which has its title unless the link says otherwise. */
function inMenu<Name extends string>({
  link,
  ...options
}: FormPageOptions<Name> & { heading: string; link?: Partial<MenuLink> }) {
  const { heading, title = heading } = options;
  const shown: MenuLink = { name: title, ...link };
  return { ...formPage(options), link: shown };
}

/** What the specification names. */
const accountPages = [
  inMenu({
    address: addresses.settingsEmail,
    heading: 'Электронная почта',
    link: { value: (user) => user.email },
    file: () => import('./settings/email.tsx'),
    name: 'email',
  }),
  inMenu({
    address: addresses.settingsUsername,
    heading: 'Имя пользователя',
    link: { value: (user) => user.username },
    file: () => import('./settings/names.tsx'),
    name: 'username',
  }),
  inMenu({
    address: addresses.settingsDevices,
    heading: 'Устройства',
    file: () => import('./settings/devices.tsx'),
    name: 'devices',
  }),
];

/** What is rarely needed. */
const dataPages = [
  inMenu({
    address: addresses.settingsData,
    heading: 'Мои данные',
    file: () => import('./settings/stored-data.tsx'),
    name: 'keptData',
  }),
  inMenu({
    address: addresses.settingsApiTokens,
    heading: 'Токены для программ',
    file: () => import('./settings/api-tokens.tsx'),
    name: 'apiTokens',
  }),
  inMenu({
    address: addresses.settingsDeletion,
    heading: 'Удаление',
    title: 'Удаление учётной записи',
    link: { name: 'Удалить учётную запись' },
    file: () => import('./settings/account-deletion.tsx'),
    name: 'deletion',
  }),
];

const otherPages = [
  inMenu({
    address: addresses.settingsProfile,
    heading: 'Профиль',
    link: { value: (user) => user.display_name ?? '' },
    file: () => import('./settings/names.tsx'),
    name: 'profile',
  }),
  inMenu({
    address: addresses.settingsNotifications,
    heading: 'Уведомления и письма',
    file: () => import('./settings/notification-settings.tsx'),
    name: 'notificationSettings',
  }),
  inMenu({
    address: addresses.settingsMuted,
    heading: 'Кого и что не показывать',
    file: () => import('./settings/muted.tsx'),
    name: 'muted',
  }),
  inMenu({
    address: addresses.settingsInvitations,
    heading: 'Приглашения',
    file: () => import('./settings/invitations.tsx'),
    name: 'invitations',
  }),
  inMenu({
    address: addresses.settingsDataAndPrograms,
    heading: 'Данные и программы',
    file: async () => ({ data: (await import('./settings/settings-menu.tsx')).dataAndProgramsOf(dataPages) }),
    name: 'data',
  }),
];

export const settingsPages = [
  formPage({
    address: addresses.settings,
    heading: 'Настройки',
    file: async () => ({ menu: (await import('./settings/settings-menu.tsx')).menuOf(accountPages, otherPages) }),
    name: 'menu',
  }),
  ...accountPages,
  ...otherPages,
  ...dataPages,
  formPage({
    address: addresses.settingsDevice,
    heading: 'Сеанс',
    file: () => import('./settings/device.tsx'),
    name: 'device',
  }),
];
