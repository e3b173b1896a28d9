import { addresses, type Address, type UndoOutcome } from '#contract/addresses.ts';
import type { Page } from '../app/router/page.ts';
import { onDemand } from '../lib/on-demand.ts';
import { PagePart } from './page-part.tsx';
// Loaded before the page is painted, unlike the rest of the page's code.
import '../features/account/form-page.module.css';

const part = onDemand(async () => (await import('../features/account/email-undo-page.tsx')).EmailUndoPage);

/** The page of a mailed link that undoes a change of an account's email address. */
export const undoEmail = undoPage(addresses.undoEmail);
/** The result of the form on that page. */
export const undoEmailOutcome = undoPage(addresses.undoEmailOutcome);

function undoPage<P extends { outcome?: UndoOutcome }>(address: Address<P>): Page<P> {
  return {
    address,
    access: 'public',
    describe: () => ({ heading: 'Электронная почта', title: 'Отмена смены адреса' }),
    Component: ({ params }) => <PagePart part={part} skeleton={null} outcome={params.outcome ?? null} />,
    prefetch: part.load,
  };
}
