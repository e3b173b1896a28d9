import { addresses } from '#contract/addresses.ts';
import { settingsPage } from './settings-page.tsx';

export const settingsDevices = settingsPage({
  address: addresses.settingsDevices,
  heading: 'Устройства',
  shape: 'list',
  component: async () => (await import('../features/devices/devices-page.tsx')).DevicesPage,
});
