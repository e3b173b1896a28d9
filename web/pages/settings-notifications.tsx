import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settingsNotifications = settingsPage({
  address: addresses.settingsNotifications,
  heading: 'Уведомления',
  shape: 'form',
  component: async () =>
    (await import('../features/notifications/notification-settings-page.tsx')).NotificationSettingsPage,
});
