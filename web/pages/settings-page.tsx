import { type ComponentType, useEffect } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import type { Address } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import { useSession, useSessionState } from '../features/session/session.ts';
import { type OnDemand, namedOnDemand } from '../lib/on-demand.ts';
import { LazyPage } from './lazy-page.tsx';
import { settingsSkeleton } from './settings-skeleton.tsx';

/** A page's link in the menu of the settings. */
export interface MenuLink {
  /** Under the heading about the account, in the list below it, or at the end among what is rarely needed. */
  place: 'account' | 'list' | 'end';
  name: string;
  /** The current value of the setting. */
  value?(user: CurrentUser): string;
}

interface SettingsPage extends Page {
  link: MenuLink;
}

type PageComponent = ComponentType<{ user: CurrentUser }>;

interface SettingsPageOptions<Name extends string> {
  address: Address;
  heading: string;
  title?: string;
  /** Unless set, the title in the list. */
  link?: Partial<MenuLink>;
  /** Imports the file with the page's component, which has this name there. */
  file(): Promise<Record<Name, PageComponent>>;
  component: Name;
}

/** Makes a page about one's own account or devices. Its code is not part of the first load. */
export function settingsPage<Name extends string>(options: SettingsPageOptions<Name>): SettingsPage {
  const { address, heading, title = heading, link, file, component } = options;
  const part = namedOnDemand(file, component);
  return {
    address,
    access: 'user',
    link: { place: 'list', name: title, ...link },
    describe: () => ({ heading, title }),
    skeleton: settingsSkeleton,
    Component: () => <SettingsPart part={part} />,
    prefetch: part.load,
  };
}

function SettingsPart({ part }: { part: OnDemand<PageComponent> }) {
  const session = useSession();
  const state = useSessionState();

  // Settings pages call the server only to change something, so a session closed elsewhere is detected here.
  useEffect(() => void session.confirm(), [session]);

  if (state.is !== 'authorized') return settingsSkeleton;
  return <LazyPage key={state.user.id} part={part} skeleton={settingsSkeleton} user={state.user} />;
}
