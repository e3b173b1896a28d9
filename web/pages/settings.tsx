import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settings = settingsPage({
  address: addresses.settings,
  heading: 'Настройки',
  component: async () => (await import('./settings-list.tsx')).SettingsList,
});
