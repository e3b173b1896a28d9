import { useRef, useState } from 'react';
import { endInvite, type Invite, makeInvites } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { useObservable } from '../../../lib/observable.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { RadioGroup } from '../../../ui/radio-group.tsx';
import { Form } from '../../../ui/form.tsx';
import { useRequest } from '../../session/use-request.ts';
import type { DeskAct } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { DeskItems, DeskListEnd } from './desk-items.tsx';
import type { DeskList } from './desk-list.ts';
import desk from './desk.module.css';
import styles from './invites.module.css';
import { NewInvites } from './new-invites.tsx';
import { showAct } from './show-act.tsx';

const whoMayCome = {
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
export function Invites({ list }: { list: DeskList<Invite, { registration: keyof typeof whoMayCome }> }) {
  const { registration } = useObservable(list.state);
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
        showAct(done, 'Приглашение отозвано');
        void list.reload();
      },
    });
  return (
    <>
      <p className={desk.about}>{whoMayCome[registration]}</p>
      <MakeInvites
        onMade={(made) => {
          setCodes(made);
          void list.reload();
        }}
      />
      {codes.length > 0 && <NewInvites codes={codes} />}
      <DeskItems
        list={list}
        label="Приглашения"
        empty={
          <>
            <p className={desk.about}>Приглашений пока нет.</p>
            <DeskListEnd list={list} />
          </>
        }
      >
        {(invite) => (
          <li key={invite.id} className={desk.row}>
            <span dir="auto">{invite.note}</span>
            <span className={desk.quiet}>
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
        )}
      </DeskItems>
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

  const submit = () =>
    send(async () => {
      if (!isValid) return;
      // A repeated request makes no further codes.
      key.current ??= randomKey();
      const headers = { 'idempotency-key': key.current };
      const many = kind === 'shared' ? { count: 1, seats: number } : { count: number };
      const { codes } = await call(makeInvites, { headers, body: { ...many, reason: note.trim() } });
      key.current = null;
      setNote('');
      onMade(codes);
    });
  return (
    <Form
      className={styles.form}
      onChange={() => {
        key.current = null;
      }}
      onSubmit={submit}
    >
      <FormField
        label="Для кого"
        note="Останется в журнале и в этом списке."
        error={error}
        value={note}
        maxLength={200}
        readOnly={busy}
        onChange={(event) => setNote(event.target.value)}
      />
      <RadioGroup
        legend="Как позвать"
        choices={kinds}
        chosen={kind}
        disabled={busy}
        onChoose={(id) => setKind(id === 'own' ? id : 'shared')}
      />
      <FormField
        label="Сколько человек"
        error={number >= 1 && number <= most[kind] ? null : `От 1 до ${most[kind]}`}
        // `numeric` would look like the field of a code.
        inputMode="decimal"
        value={count}
        readOnly={busy}
        onChange={(event) => setCount(event.target.value.trim())}
      />
      <Button type="submit" variant="primary" disabled={!isValid} busy={busy}>
        Сделать приглашение
      </Button>
    </Form>
  );
}
