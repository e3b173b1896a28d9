import { type FormEvent, useRef, useState } from 'react';
import { endInvite, type Invite, makeInvites } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { useObservable } from '../../../lib/observable.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { RadioGroup } from '../../../ui/radio-group.tsx';
import { useRequest } from '../../session/use-request.ts';
import { alreadyDone, type DeskAct } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import type { DeskList } from './desk-list.ts';
import { DeskListEnd } from './desk-list-end.tsx';
import styles from './invites.module.css';
import { NewInvites } from './new-invites.tsx';

interface InvitesProps {
  list: DeskList<Invite>;
  mode: keyof typeof whoMayCome;
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

/** Makes invitations and lists them. Their links are shown once: the server stores only hashes. */
export function Invites({ list, mode }: InvitesProps) {
  const { items, next } = useObservable(list.state);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [act, setAct] = useState<DeskAct | null>(null);

  const end = ({ id, note }: Invite) =>
    setAct({
      title: 'Отозвать приглашение',
      about: note,
      hint: 'По ссылке больше никто не придёт, напечатанные листы тоже перестанут действовать.',
      reasons: ['Больше не нужно', 'Ссылка ушла не туда'],
      isSwift: true,
      label: 'Отозвать',
      isDangerous: true,
      async run(reason) {
        const { act_id: done } = await call(endInvite, { params: { id }, body: { reason } });
        showToast(done === null ? alreadyDone : 'Приглашение отозвано');
        void list.reload();
      },
    });
  return (
    <>
      <p className={styles.about}>{whoMayCome[mode]}</p>
      <MakeInvites
        onMade={(made) => {
          setCodes(made);
          void list.reload();
        }}
      />
      {codes.length > 0 && <NewInvites codes={codes} />}
      {items.length === 0 && next === null ? (
        <p className={styles.none}>Приглашений пока нет.</p>
      ) : (
        <ul className={styles.list} aria-label="Приглашения">
          {items.map((invite) => (
            <li key={invite.id} className={styles.row}>
              <span dir="auto">{invite.note}</span>
              <span className={styles.quiet}>
                <time dateTime={machineTime(invite.created_at)}>{exactTime(invite.created_at)}</time>
                {' · '}
                <StateOf invite={invite} />
              </span>
              {invite.may_end && (
                <Button variant="plain" aria-haspopup="dialog" onClick={() => end(invite)}>
                  Отозвать
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <DeskListEnd list={list} />
      <ActDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}

function StateOf({ invite: { seats, used, used_by: by } }: { invite: Invite }) {
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

function MakeInvites({ onMade }: { onMade: (codes: readonly string[]) => void }) {
  const [count, setCount] = useState('10');
  const [kind, setKind] = useState<(typeof kinds)[number]['id']>('shared');
  const [note, setNote] = useState('');
  const key = useRef<string>(null);
  const { busy, error, send } = useRequest();
  const number = /^\d{1,3}$/.test(count) ? Number(count) : 0;
  const isValid = number >= 1 && number <= most[kind] && note.trim() !== '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isValid) return;
    void send(async () => {
      // A repeated request makes no further codes.
      key.current ??= randomKey();
      const headers = { 'idempotency-key': key.current };
      const many = kind === 'shared' ? { count: 1, seats: number } : { count: number };
      const { codes } = await call(makeInvites, { headers, body: { ...many, reason: note.trim() } });
      key.current = null;
      setNote('');
      onMade(codes);
    });
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <FormField
        label="Для кого"
        note="Останется в журнале и в этом списке."
        error={error}
        value={note}
        maxLength={200}
        readOnly={busy}
        onChange={(event) => {
          key.current = null;
          setNote(event.target.value);
        }}
      />
      <RadioGroup
        legend="Как позвать"
        choices={kinds}
        chosen={kind}
        disabled={busy}
        onChoose={(id) => {
          key.current = null;
          setKind(id === 'own' ? id : 'shared');
        }}
      />
      <FormField
        label="Сколько человек"
        error={number >= 1 && number <= most[kind] ? null : `От 1 до ${most[kind]}`}
        // `numeric` would look like the field of a code.
        inputMode="decimal"
        value={count}
        readOnly={busy}
        onChange={(event) => {
          key.current = null;
          setCount(event.target.value.trim());
        }}
      />
      <Button type="submit" variant="primary" disabled={!isValid} busy={busy}>
        Сделать приглашение
      </Button>
    </form>
  );
}
