import { showToast } from '../lib/toasts.ts';

/** Says what was done, and leads back unless the person has gone elsewhere meanwhile. */
export function backToSettings(done: string): void {
  showToast(done);
  // In place of the form: Back does not lead to it again.
  if (location.pathname.startsWith('/settings/')) location.replace('/settings');
}
