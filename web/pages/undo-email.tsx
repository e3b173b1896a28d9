import { addresses, type Address, type UndoOutcome } from '#contract/addresses.ts';
import type { Page } from '../app/router/page.ts';
import { EmailUndoPage } from '../features/account/email-undo-page.tsx';

/** The page of a mailed link that undoes a change of an account's email address. */
export const undoEmail = undoPage(addresses.undoEmail);
/** The result of the form on that page. */
export const undoEmailOutcome = undoPage(addresses.undoEmailOutcome);

function undoPage<P extends { outcome?: UndoOutcome }>(address: Address<P>): Page<P> {
  return {
    address,
    access: 'public',
    describe: () => ({ heading: 'Электронная почта', title: 'Отмена смены адреса' }),
    Component: ({ params }) => <EmailUndoPage outcome={params.outcome ?? null} />,
  };
}
