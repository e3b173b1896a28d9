import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settingsPrograms = settingsPage({
  address: addresses.settingsPrograms,
  heading: 'Токены для программ',
  shape: 'list',
  component: async () => (await import('../features/programs/programs-page.tsx')).ProgramsPage,
});
