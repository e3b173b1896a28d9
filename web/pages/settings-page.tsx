import { type ComponentType, type ReactNode, useEffect } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import type { Address } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import { useSession, useSessionState } from '../features/session/session.ts';
import { type OnDemand, onDemand } from '../lib/on-demand.ts';
import { LazyPage } from './lazy-page.tsx';
import { SettingsSkeleton } from './settings-skeleton.tsx';

interface SettingsPage {
  address: Address;
  heading: string;
  title?: string;
  /** The shape of its skeleton. */
  shape: 'list' | 'form';
  /** Imports the page's component. */
  component(): Promise<ComponentType<{ user: CurrentUser }>>;
}

/** Makes a page about one's own account or devices. Its code is not part of the first load. */
export function settingsPage({ address, shape, component, ...description }: SettingsPage): Page {
  const part = onDemand(component);
  const skeleton = <SettingsSkeleton shape={shape} />;
  return {
    address,
    access: 'user',
    describe: () => description,
    skeleton,
    Component: () => <SettingsPart part={part} skeleton={skeleton} />,
    prefetch: part.load,
  };
}

interface SettingsPartProps {
  part: OnDemand<ComponentType<{ user: CurrentUser }>>;
  skeleton: ReactNode;
}

function SettingsPart({ part, skeleton }: SettingsPartProps) {
  const session = useSession();
  const state = useSessionState();

  // Settings pages call the server only to change something, so a session closed elsewhere is detected here.
  useEffect(() => void session.confirm(), [session]);

  if (state.is !== 'authorized') return skeleton;
  return <LazyPage key={state.user.id} part={part} skeleton={skeleton} user={state.user} />;
}
