import { useEffect, useRef, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Invite } from '#contract/moderation.ts';
import { nameActs, NameQuestion } from '../../features/account/name-question.tsx';
import { MailTruth } from '../../features/mail-state/mail-truth.tsx';
import { Choices, Field } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { formProblem, page, type PageContext, cursorIn } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { copyText } from '../../lib/copy-text.ts';
import { useMounted } from '../../lib/observable.ts';
import { showToast } from '../../lib/toasts.ts';
import button from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { NextLink } from '../../ui/next-link.tsx';
import { ActLink, DeskFrame } from './desk-frame.tsx';
import desk from './desk.module.css';
import { InviteSheet } from './invite-sheet.tsx';
import styles from './invites.module.css';

/** Invitation links that were just made, or an earlier one. A single link has a QR code and a sheet to print. */
export function InviteLinks({ links }: { links: readonly string[] }) {
  const copyButton = useRef<HTMLButtonElement>(null);
  const { appName } = useClientSettings();
  const [link = ''] = links;
  const text = links.join('\n');
  const mounted = useMounted();
  useEffect(() => copyButton.current?.focus(), [text, mounted]);

  const copy = async () => {
    showToast((await copyText(text)) ? 'Скопировано' : 'Не удалось скопировать. Выделите ссылку сами.');
  };
  // The promise rejects when the person closes the system's share dialog.
  const share = () => void navigator.share({ title: appName, url: link }).catch(() => {});
  return (
    <section className={styles.codes} aria-label="Ссылки приглашений">
      <ul className={desk.list}>
        {links.map((each) => (
          <li key={each} className={styles.link}>
            {each}
          </li>
        ))}
      </ul>
      {mounted && (
        <div className={desk.buttons}>
          <Button ref={copyButton} onClick={() => void copy()}>
            {links.length === 1 ? 'Скопировать' : 'Скопировать все'}
          </Button>
          {links.length === 1 && 'share' in navigator && <Button onClick={share}>Поделиться</Button>}
          {links.length === 1 && <Button onClick={() => print()}>Напечатать объявление</Button>}
        </div>
      )}
      {links.length === 1 && <InviteSheet link={link} />}
    </section>
  );
}

export const whoMayCome = {
  open: 'Регистрация открыта для всех. По ссылке видно, что это за стена и кто зовёт.',
  members: 'Регистрация только по приглашениям: вашим и участников. Кто кого позвал, видно на странице человека.',
  invite: 'Регистрация только по приглашениям.',
  closed: 'Регистрация закрыта: приглашения не действуют, пока её не откроют.',
};

/** One link for everybody, or a link for each person. */
const kinds = [
  { id: 'shared', name: 'Одна ссылка на всех' },
  { id: 'own', name: 'Каждому своя ссылка' },
] as const;
const most = { shared: 500, own: 50 };

const kindOf = (kind: string | undefined) => (kind === 'own' ? 'own' : 'shared');
const numberIn = (count: string): number => (/^\d{1,3}$/.test(count.trim()) ? Number(count) : 0);
const isGiven = (note: string) => ({ isGood: note.trim() !== '' });

function rangeOf(count: string, upTo: number) {
  const isGood = numberIn(count) >= 1 && numberIn(count) <= upTo;
  return { isGood, ...(!isGood && { error: `От 1 до ${upTo}` }) };
}

/** Why a person without a name is asked for it before inviting others. */
export const whyName = 'Те, кого вы зовёте, увидят, кто их позвал.';

const path = addresses.moderationInvites.href();

type Wanted = { reason: string; count: number; seats?: number };

/** Makes invitations. A repeated request returns the same codes. */
export async function makeInvites({ call, keyFor }: PageContext, body: Wanted): Promise<readonly string[]> {
  const headers = { 'idempotency-key': keyFor('invites') };
  return (await call('POST /moderation/invites', { headers, body })).codes;
}

/** Makes invitations and lists them. */
export const invites = page({
  async load({ call, query, user: { role } }) {
    const [found, steps] = await Promise.all([
      call('GET /moderation/invites', { query: cursorIn(query) }),
      role === 'owner' ? call('GET /keep/steps', {}) : null,
    ]);
    return { ...found, ...(steps && { mail: steps.mail }) };
  },
  View({ user, registration, invites: made, mail, next, query, handed }) {
    const { publicUrl } = useClientSettings();
    const shown = made.find(({ id }) => id === query.get('link'))?.url;
    const codes = handed['codes']?.split(' ').map((code) => publicUrl + addresses.join.href({ code }));
    const links = codes ?? (shown ? [shown] : []);
    return (
      <DeskFrame section="invites">
        {mail && <MailTruth mail={mail} />}
        <p className={desk.about}>{whoMayCome[registration]}</p>
        <div className={styles.form}>
          {user.name_question ? <NameQuestion user={user} why={whyName} /> : <MakeInvites />}
        </div>
        {links.length > 0 && <InviteLinks links={links} />}
        {made.length === 0 ? (
          <p className={desk.about}>Приглашений пока нет.</p>
        ) : (
          <ul className={desk.list} aria-label="Приглашения">
            {made.map((invite) => (
              <Row key={invite.id} invite={invite} here={query} />
            ))}
          </ul>
        )}
        <NextLink query={query} next={next} />
      </DeskFrame>
    );
  },
  acts: {
    ...nameActs,
    async make(context, { note = '', kind: chosen, count = '' }) {
      const kind = kindOf(chosen);
      const { isGood, error } = rangeOf(count, most[kind]);
      if (note.trim() === '') throw formProblem('Напишите, для кого.');
      if (!isGood) throw formProblem(`Сколько человек: ${error}.`);
      const number = numberIn(count);
      const many = kind === 'shared' ? { count: 1, seats: number } : { count: number };
      const codes = await makeInvites(context, { ...many, reason: note.trim() });
      return { message: codes.length === 1 ? 'Ссылка готова' : 'Ссылки готовы', handed: { codes: codes.join(' ') } };
    },
  },
});

const MakeInvites = () => (
  <Form act="make" submit="Сделать приглашение">
    <MadeFields />
  </Form>
);

function MadeFields() {
  const [upTo, setUpTo] = useState<number>(most.shared);
  return (
    <>
      <Field name="note" label="Пометка для себя: кому ссылка" maxLength={200} check={isGiven} />
      <div onChange={({ target }) => setUpTo(most[kindOf((target as HTMLInputElement).value)])}>
        <Choices name="kind" legend="Как позвать" choices={kinds} chosen="shared" />
      </div>
      <Field
        name="count"
        label="Сколько человек"
        value="10"
        // Styles draw a `numeric` field as the field of a code.
        inputMode="decimal"
        check={(count) => rangeOf(count, upTo)}
      />
    </>
  );
}

function Row({ invite: { id, note, created_at: at, ...invite }, here }: { invite: Invite; here: URLSearchParams }) {
  const { url, may_end: mayEnd } = invite;
  return (
    <li id={`invite-${id}`} tabIndex={-1} className={desk.row}>
      <span dir="auto">{note}</span>
      <span className={desk.quiet}>
        <LocalTime at={at} />
        {' · '}
        <StateOf invite={invite} />
        {mayEnd && url === null && ' · ссылку показать ещё раз нельзя'}
      </span>
      {url !== null && (
        <a
          href={`${path}?${new URLSearchParams({ ...cursorIn(here), link: id })}`}
          className={button.button}
          data-variant="plain"
        >
          Показать ссылку
        </a>
      )}
      {mayEnd && (
        <ActLink name="end-invite" of={id} variant="plain" describedBy={`invite-${id}`}>
          Отозвать
        </ActLink>
      )}
    </li>
  );
}

function StateOf({ invite: { seats, used, used_by: by } }: { invite: Pick<Invite, 'seats' | 'used' | 'used_by'> }) {
  if (seats === 0) return 'отозвано';
  if (seats > 1) return used < seats ? `пришли: ${used} из ${seats}` : `пришли: ${used}, больше не действует`;
  if (used === 0) return 'не использовано';
  if (by === null) return 'использовано';
  return (
    <>
      по нему пришёл <bdi>{by}</bdi>
    </>
  );
}
