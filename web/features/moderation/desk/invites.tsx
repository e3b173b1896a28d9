import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Invite, makeInvites } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { useObservable } from '../../../lib/observable.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { useRequest } from '../../session/use-request.ts';
import type { DeskList } from './desk-list.ts';
import { DeskListEnd } from './desk-list-end.tsx';
import styles from './invites.module.css';

interface InvitesProps {
  list: DeskList<Invite>;
  /** Nobody can register without one. */
  isByInvite: boolean;
}

const most = 50;

/** Makes invitations and lists them. Their codes are shown once: the server stores only hashes. */
export function Invites({ list, isByInvite }: InvitesProps) {
  const { items, next } = useObservable(list.state);
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <>
      <p className={styles.about}>
        {isByInvite
          ? 'Регистрация только по приглашениям: один код — одна учётная запись.'
          : 'Регистрация открыта для всех. Приглашения понадобятся, если её закроют.'}
      </p>
      <MakeInvites
        onMade={(made) => {
          setCodes(made);
          void list.reload();
        }}
      />
      {codes.length > 0 && <Codes codes={codes} />}
      {items.length === 0 && next === null ? (
        <p className={styles.none}>Приглашений пока нет.</p>
      ) : (
        <ul className={styles.list} aria-label="Приглашения">
          {items.map((invite, index) => (
            <li key={index} className={styles.row}>
              <span dir="auto">{invite.note}</span>
              <span className={styles.quiet}>
                <time dateTime={machineTime(invite.created_at)}>{exactTime(invite.created_at)}</time>
                {' · '}
                {invite.used_at === null ? 'не использовано' : <UsedBy invite={invite} />}
              </span>
            </li>
          ))}
        </ul>
      )}
      <DeskListEnd list={list} />
    </>
  );
}

function UsedBy({ invite }: { invite: Invite }) {
  if (invite.used_by === null) return 'использовано';
  return (
    <>
      по нему пришёл <bdi>{invite.used_by}</bdi>
    </>
  );
}

function MakeInvites({ onMade }: { onMade: (codes: readonly string[]) => void }) {
  const [count, setCount] = useState('1');
  const [note, setNote] = useState('');
  const key = useRef<string>(null);
  const { busy, error, send } = useRequest();
  const number = /^\d{1,2}$/.test(count) ? Number(count) : 0;
  const isValid = number >= 1 && number <= most && note.trim() !== '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isValid) return;
    void send(async () => {
      // A repeated request makes no further codes.
      key.current ??= randomKey();
      const headers = { 'idempotency-key': key.current };
      const { codes } = await call(makeInvites, { headers, body: { count: number, reason: note.trim() } });
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
      <FormField
        label="Сколько кодов"
        error={number >= 1 && number <= most ? null : `От 1 до ${most}`}
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
        Выдать коды
      </Button>
    </form>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [codes]);

  const copy = async () => {
    showToast((await copyText(codes.join('\n'))) ? 'Скопировано' : 'Не удалось скопировать. Выделите коды сами.');
  };
  return (
    <section className={styles.codes} aria-label="Новые коды">
      <p>Скопируйте сейчас: больше они не покажутся.</p>
      <ul className={styles.list}>
        {codes.map((code) => (
          <li key={code} className={styles.code}>
            {code}
          </li>
        ))}
      </ul>
      <Button ref={button} onClick={() => void copy()}>
        {codes.length === 1 ? 'Скопировать код' : 'Скопировать все'}
      </Button>
    </section>
  );
}
