import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settingsDeletion = settingsPage({
  address: addresses.settingsDeletion,
  heading: 'Удаление',
  title: 'Удаление учётной записи',
  shape: 'form',
  component: async () => (await import('../features/account/deletion-page.tsx')).DeletionPage,
});
