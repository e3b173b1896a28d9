import { addresses, type Address, type UnsubscribeOutcome } from '#contract/addresses.ts';
import type { Page } from '../app/router/page.ts';
import { onDemand } from '../lib/on-demand.ts';
import { PagePart } from './page-part.tsx';
// Loaded before the page is painted, unlike the rest of the page's code.
import '../features/account/form-page.module.css';

const part = onDemand(async () => (await import('../features/account/unsubscribe-page.tsx')).UnsubscribePage);

/** The page of a mailed link that ends letters with notifications. */
export const unsubscribe = unsubscribePage(addresses.unsubscribe);
/** The result of the form on that page. */
export const unsubscribeOutcome = unsubscribePage(addresses.unsubscribeOutcome);

function unsubscribePage<P extends { outcome?: UnsubscribeOutcome }>(address: Address<P>): Page<P> {
  return {
    address,
    access: 'public',
    describe: () => ({ heading: 'Письма', title: 'Отписка от писем' }),
    Component: ({ params }) => <PagePart part={part} skeleton={null} outcome={params.outcome ?? null} />,
    prefetch: part.load,
  };
}
