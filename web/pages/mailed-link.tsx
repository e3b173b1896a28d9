import type { ComponentType } from 'react';
import type { Address } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import type { OnDemand } from '../lib/on-demand.ts';
import { LazyPage } from './lazy-page.tsx';
// Loaded before the page is painted, unlike the rest of the page's code.
import '../features/account/form-page.module.css';

/** The page of a mailed link, whose form does something without a session, or the page with the outcome of that form. */
export function mailedLinkPage<Outcome extends string, P extends { outcome?: Outcome }>(
  address: Address<P>,
  title: string,
  part: OnDemand<ComponentType<{ outcome: Outcome | null }>>,
): Page<P> {
  return {
    address,
    access: 'public',
    describe: () => ({ heading: 'Электронная почта', title }),
    Component: ({ params }) => <LazyPage part={part} skeleton={null} outcome={params.outcome ?? null} />,
    prefetch: part.load,
  };
}
