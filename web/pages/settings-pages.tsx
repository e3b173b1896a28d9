import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

/** The pages of the settings, in the order of their menu. */
export const settingsPages = [
  settingsPage({
    address: addresses.settingsProfile,
    heading: 'Имя и о себе',
    link: { place: 'account', value: (user) => user.display_name ?? '' },
    component: async () => (await import('../features/account/profile-page.tsx')).ProfilePage,
  }),
  settingsPage({
    address: addresses.settingsEmail,
    heading: 'Электронная почта',
    link: { place: 'account', value: (user) => user.email },
    component: async () => (await import('../features/account/email-page.tsx')).EmailPage,
  }),
  settingsPage({
    address: addresses.settingsUsername,
    heading: 'Имя пользователя',
    link: { place: 'account', value: (user) => user.username },
    component: async () => (await import('../features/account/username-page.tsx')).UsernamePage,
  }),
  settingsPage({
    address: addresses.settingsDevices,
    heading: 'Устройства',
    component: async () => (await import('../features/devices/devices-page.tsx')).DevicesPage,
  }),
  settingsPage({
    address: addresses.settingsNotifications,
    heading: 'Уведомления',
    component: async () =>
      (await import('../features/notifications/notification-settings-page.tsx')).NotificationSettingsPage,
  }),
  settingsPage({
    address: addresses.settingsMuted,
    heading: 'Скрытые',
    title: 'Скрытые авторы',
    component: async () => (await import('../features/mutes/muted-page.tsx')).MutedPage,
  }),
  settingsPage({
    address: addresses.settingsInvitations,
    heading: 'Приглашения',
    component: async () => (await import('../features/invitations/invitations-page.tsx')).InvitationsPage,
  }),
  settingsPage({
    address: addresses.settingsApiTokens,
    heading: 'Токены для программ',
    component: async () => (await import('../features/api-tokens/api-tokens-page.tsx')).ApiTokensPage,
  }),
  settingsPage({
    address: addresses.settingsDeletion,
    heading: 'Удаление',
    title: 'Удаление учётной записи',
    link: { place: 'end', name: 'Удалить учётную запись' },
    component: async () => (await import('../features/account/deletion-page.tsx')).DeletionPage,
  }),
];
