import { addresses } from '#contract/addresses.ts';
import { onDemand } from '../lib/on-demand.ts';
import { mailedLinkPage } from './mailed-link.tsx';

const part = onDemand(async () => (await import('../features/account/email-undo-page.tsx')).EmailUndoPage);
const title = 'Отмена смены адреса';

/** The page of a mailed link that undoes a change of an account's email address. */
export const undoEmail = mailedLinkPage(addresses.undoEmail, title, part);
/** The result of the form on that page. */
export const undoEmailOutcome = mailedLinkPage(addresses.undoEmailOutcome, title, part);
