import { type Ref, useEffect, useId, useRef, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Invite } from '#contract/moderation.ts';
import { nameActs, NameQuestion } from '../../features/account/name-question.tsx';
import { MailTruth } from '../../features/mail-state/mail-truth.tsx';
import { Choices, Field } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { formProblem, page, type PageContext, cursorIn } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { copyText } from '../../lib/copy-text.ts';
import { plural } from '../../lib/counts.ts';
import { useMounted } from '../../lib/observable.ts';
import { showToast } from '../../lib/toasts.ts';
import button from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import field from '../../ui/form-field.module.css';
import { LocalTime } from '../../ui/local-time.tsx';
import { NextLink } from '../../ui/next-link.tsx';
import { ActLink, DeskFrame } from './desk-frame.tsx';
import desk from './desk.module.css';
import { addressWords, InviteSheet, QrCode } from './invite-sheet.tsx';
import styles from './invites.module.css';

interface InviteLinksProps {
  links: readonly string[];
  /** How many people may come by a single link, if that is known. */
  seats?: number | undefined;
}

const copy = async (text: string) => {
  showToast((await copyText(text)) ? 'Скопировано' : 'Не удалось скопировать. Выделите ссылку сами.');
};

/** Invitation links that were just made, or an earlier one. A single link has a QR code and a sheet to print. */
export function InviteLinks({ links, seats }: InviteLinksProps) {
  const main = useRef<HTMLButtonElement>(null);
  const [link = ''] = links;
  const text = links.join('\n');
  const mounted = useMounted();
  useEffect(() => main.current?.focus(), [text, mounted]);
  return (
    <section className={styles.links} aria-label="Ссылки приглашений">
      {links.length === 1 ? (
        <InviteLink key={link} link={link} seats={seats} main={main} />
      ) : (
        <>
          <ul className={desk.list}>
            {links.map((each) => (
              <li key={each} className={styles.link}>
                {each}
              </li>
            ))}
          </ul>
          {mounted && (
            <Button ref={main} onClick={() => void copy(text)}>
              Скопировать все
            </Button>
          )}
        </>
      )}
    </section>
  );
}

/** The first words of the sheet. They are stored nowhere. */
const firstSentence = 'Здесь решаем, что важно. Присоединяйтесь';

interface InviteLinkProps extends Pick<InviteLinksProps, 'seats'> {
  link: string;
  /** The main button, which gets the focus. */
  main: Ref<HTMLButtonElement>;
}

function InviteLink({ link, seats, main }: InviteLinkProps) {
  const { appName } = useClientSettings();
  const mounted = useMounted();
  const id = useId();
  const [sentence, setSentence] = useState(firstSentence);
  // The promise rejects when the person closes the system's share dialog.
  const send = () =>
    void ('share' in navigator ? navigator.share({ title: appName, url: link }).catch(() => {}) : copy(link));
  return (
    <>
      <div className={styles.card}>
        <QrCode link={link} />
        <p className={styles.address}>
          {/* Without scripts the link is copied by hand. */}
          <span className={styles.link}>{mounted ? addressWords(link) : link}</span>{' '}
          {mounted && (
            <Button variant="plain" onClick={() => void copy(link)}>
              Скопировать
            </Button>
          )}
        </p>
        {seats !== undefined && (
          <p className={desk.quiet}>до {plural(seats, ['человека', 'человек', 'человек'])}, пока её не отзовут</p>
        )}
      </div>
      {mounted && (
        <>
          <Button ref={main} variant="primary" onClick={send}>
            Отправить в чат
          </Button>
          <Button onClick={() => print()}>Напечатать объявление</Button>
          <div className={field.field}>
            <div className={field.label}>
              <label htmlFor={id}>Слова на объявлении</label>
            </div>
            <input
              id={id}
              className={field.input}
              value={sentence}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => setSentence(target.value)}
            />
          </div>
        </>
      )}
      <InviteSheet link={link} sentence={sentence} />
    </>
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
        {links.length > 0 && (
          <div className={styles.form}>
            <InviteLinks links={links} seats={made.find(({ url }) => url === links[0])?.seats} />
          </div>
        )}
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
