import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

/** The pages of the settings, in the order of their menu. */
export const settingsPages = [
  settingsPage({
    address: addresses.settingsProfile,
    heading: 'Имя и о себе',
    link: { place: 'account', value: (user) => user.display_name ?? '' },
    file: () => import('../features/account/profile-page.tsx'),
    component: 'ProfilePage',
  }),
  settingsPage({
    address: addresses.settingsEmail,
    heading: 'Электронная почта',
    link: { place: 'account', value: (user) => user.email },
    file: () => import('../features/account/email-page.tsx'),
    component: 'EmailPage',
  }),
  settingsPage({
    address: addresses.settingsUsername,
    heading: 'Имя пользователя',
    link: { place: 'account', value: (user) => user.username },
    file: () => import('../features/account/username-page.tsx'),
    component: 'UsernamePage',
  }),
  settingsPage({
    address: addresses.settingsDevices,
    heading: 'Устройства',
    file: () => import('../features/devices/devices-page.tsx'),
    component: 'DevicesPage',
  }),
  settingsPage({
    address: addresses.settingsNotifications,
    heading: 'Уведомления',
    file: () => import('../features/notifications/notification-settings-page.tsx'),
    component: 'NotificationSettingsPage',
  }),
  settingsPage({
    address: addresses.settingsMuted,
    heading: 'Скрытые',
    title: 'Скрытые авторы',
    file: () => import('../features/mutes/muted-page.tsx'),
    component: 'MutedPage',
  }),
  settingsPage({
    address: addresses.settingsInvitations,
    heading: 'Приглашения',
    file: () => import('../features/invitations/invitations-page.tsx'),
    component: 'InvitationsPage',
  }),
  settingsPage({
    address: addresses.settingsApiTokens,
    heading: 'Токены для программ',
    file: () => import('../features/api-tokens/api-tokens-page.tsx'),
    component: 'ApiTokensPage',
  }),
  settingsPage({
    address: addresses.settingsData,
    heading: 'Мои данные',
    file: () => import('../features/account/data-page.tsx'),
    component: 'DataPage',
  }),
  settingsPage({
    address: addresses.settingsDeletion,
    heading: 'Удаление',
    title: 'Удаление учётной записи',
    link: { place: 'end', name: 'Удалить учётную запись' },
    file: () => import('../features/account/deletion-page.tsx'),
    component: 'DeletionPage',
  }),
];
