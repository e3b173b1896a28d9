import { addresses } from '#contract/addresses.ts';
import { endInvitation, listInvitations, makeInvitation } from '#contract/invitations.ts';
import { inviteState, leftWords } from '../features/invitations/invite-words.ts';
import { Form } from './form.tsx';
import { act, plainPage } from './plain-page.ts';

/** The links by which a person invites others. */
export const invitations = plainPage({
  address: addresses.settingsInvitations,
  access: 'user',
  async show({ call }) {
    const { invitations: made, left, refused } = await call(listInvitations, {});
    const body = (
      <>
        <p>{refused ?? leftWords(left)}</p>
        {refused === null && <Form act="make" submit="Сделать ссылку" />}
        <ul>
          {made.map(({ id, url, is_open: isOpen, used_by: by, created_at: at }) => (
            <li key={id}>
              <code>{url}</code> <span className="quiet">{inviteState({ isOpen, by, at })}</span>
              {isOpen && <Form act="end" id={id} submit="Отозвать" isQuiet />}
            </li>
          ))}
        </ul>
      </>
    );
    return { heading: 'Приглашения', body };
  },
  acts: {
    make: act('Ссылка готова: пришлите её тому, кого зовёте', ({ call, keyFor }) =>
      call(makeInvitation, { headers: { 'idempotency-key': keyFor('invitation') } }),
    ),
    end: act('Приглашение отозвано', ({ call }, { id = '' }) => call(endInvitation, { params: { id } })),
  },
});
