import type { CurrentUser } from '#contract/account.ts';
import { DeletionPage } from '../account/deletion-page.tsx';
import { EmailPage } from '../account/email-page.tsx';
import { UsernamePage } from '../account/username-page.tsx';
import { MutedPage } from '../mutes/muted-page.tsx';
import type { SettingsRoute } from '../router/routes.ts';
import { DevicesPage } from '../sessions/devices-page.tsx';
import { SettingsPage } from './settings-page.tsx';

interface SettingsPagesProps {
  of: SettingsRoute;
  user: CurrentUser;
}

export function SettingsPages({ of, user }: SettingsPagesProps) {
  switch (of.name) {
    case 'settings':
      return <SettingsPage user={user} />;
    case 'settings-email':
      return <EmailPage key={user.id} user={user} />;
    case 'settings-username':
      return <UsernamePage key={user.id} user={user} />;
    case 'settings-deletion':
      return <DeletionPage key={user.id} user={user} />;
    case 'settings-devices':
      return <DevicesPage />;
    case 'settings-muted':
      return <MutedPage />;
  }
}
