import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settings = settingsPage({
  address: addresses.settings,
  heading: 'Настройки',
  file: () => import('./settings-list.tsx'),
  component: 'SettingsList',
});
