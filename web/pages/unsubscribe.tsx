import { addresses } from '#contract/addresses.ts';
import { onDemand } from '../lib/on-demand.ts';
import { mailedLinkPage } from './mailed-link.tsx';

const part = onDemand(async () => (await import('../features/account/unsubscribe-page.tsx')).UnsubscribePage);
const title = 'Отписка от писем';

/** The page of a mailed link that ends letters with notifications. */
export const unsubscribe = mailedLinkPage(addresses.unsubscribe, title, part);
/** The result of the form on that page. */
export const unsubscribeOutcome = mailedLinkPage(addresses.unsubscribeOutcome, title, part);
