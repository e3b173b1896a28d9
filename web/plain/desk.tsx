import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import {
  endInvite,
  getPin,
  type Invite,
  type JournalEntry,
  listInvites,
  listJournal,
  listPeople,
  type ModeratedPerson,
  pinPost,
  undoAct,
  unpinPost,
} from '#contract/moderation.ts';
import { undoReasons } from '../features/moderation/desk/act.ts';
import { actionName, detailsOf, targetOf } from '../features/moderation/desk/describe-entry.ts';
import { roleNames } from '../features/moderation/role-names.ts';
import { relativeTime } from '../lib/time.ts';
import { PersonNames } from '../ui/person-names.tsx';
import { ActForm, actsWithCode, CodeStep, DeskLinks } from './desk-parts.tsx';
import { Choices, Field, Form } from './form.tsx';
import { NextLink } from './next-link.tsx';
import { act, done, type PlainContent, type PlainContext, plainPage } from './plain-page.ts';
import { PostView } from './post-view.tsx';

const undo = { title: 'Отменить решение', hint: 'Почему? Это останется в журнале', reasons: undoReasons };
const endOfInvite = { title: 'Отозвать', hint: 'Причина останется в журнале', reasons: ['Больше не нужно'] };
const terms = [
  { id: '1', name: 'Сутки' },
  { id: '7', name: 'Неделя' },
  { id: '', name: 'Пока не открепят' },
];

const personLine = ({ id, role, blocked, open_reports: open, ...person }: ModeratedPerson) => (
  <li key={id}>
    <a href={addresses.moderationPerson.href(person)}>
      <PersonNames {...person} />
    </a>{' '}
    <span className="quiet">
      {[role && roleNames[role], blocked && 'заблокирован', open > 0 && `жалоб: ${open}`].filter(Boolean).join(' · ')}
    </span>
  </li>
);

const inviteLine = ({ id, note, seats, used, may_end: mayEnd }: Invite) => (
  <li key={id}>
    {note} <span className="quiet">{seats === 0 ? 'отозвано' : `пришли: ${used} из ${seats}`}</span>
    {mayEnd && <ActForm name="end-invite" id={id} act={endOfInvite} />}
  </li>
);

function entryLine(entry: JournalEntry, now: number) {
  const [target, details] = [targetOf(entry), detailsOf(entry)];
  return (
    <article key={entry.id}>
      <p>
        {actionName(entry)}
        {target && ': '}
        {target && (target.href === undefined ? target.text : <a href={target.href}>{target.text}</a>)}
      </p>
      {entry.post && <blockquote className="text">{excerpt(entry.post.text, 160)}</blockquote>}
      <p className="text">{entry.reason}</p>
      <p className="quiet">
        {entry.by} · {relativeTime(entry.at, now)} {details && `· ${details}`}
      </p>
      {entry.undo && <ActForm name="undo" id={entry.id} act={undo} />}
    </article>
  );
}

interface Section {
  heading: string;
  list: ReactNode;
  isEmpty?: boolean;
  next?: string | null;
}

async function load(section: string, { call, query, path, now }: PlainContext): Promise<Section> {
  const [cursor, q] = [query.get('cursor'), query.get('q')?.trim() ?? ''];
  const paging = cursor === null ? {} : { cursor };
  if (section === 'journal') {
    const { acts: entries, next } = await call(listJournal, { query: paging });
    return {
      heading: 'Журнал',
      list: entries.map((entry) => entryLine(entry, now)),
      isEmpty: entries.length === 0,
      next,
    };
  }
  if (section === 'invites') {
    const { invites, next } = await call(listInvites, { query: paging });
    const list = (
      <>
        <p>
          <a href={addresses.settingsInvitations.href()}>Сделать ссылку</a>
        </p>
        <ul>{invites.map(inviteLine)}</ul>
      </>
    );
    return { heading: 'Приглашения', list, isEmpty: invites.length === 0, next };
  }
  if (section === 'pin') {
    const { pinned } = await call(getPin, {});
    const list = (
      <>
        {pinned ? (
          <PostView post={pinned.post} now={now} note="закреплена" isAlone>
            <Form act="unpin" submit="Открепить" isQuiet />
          </PostView>
        ) : (
          <p>Объявления нет</p>
        )}
        <Form act="pin" submit="Закрепить">
          <Field name="post" label="Номер записи, он в её адресе" value={q} inputMode="numeric" />
          <Choices name="days" legend="На сколько" choices={terms} chosen="7" />
        </Form>
      </>
    );
    return { heading: 'Объявление', list };
  }
  const state = section === 'blocked' || section === 'imported' ? section : 'all';
  const { people, next } = await call(listPeople, { query: { state, ...(q !== '' && { q }), ...paging } });
  const list = (
    <>
      <form action={path}>
        <Field name="q" label="Начало имени" value={q} />
        <button type="submit">Найти</button>
      </form>
      <ul>{people.map(personLine)}</ul>
    </>
  );
  const heading = { all: 'Люди', blocked: 'Заблокированные', imported: 'Не заходили' }[state];
  return { heading, list, isEmpty: people.length === 0, next };
}

/** The lists of the desk: people, invitations, the journal and the pinned post. */
export const desk = plainPage<{ section: string }>({
  address: addresses.moderationSection,
  access: 'user',
  async show(context): Promise<PlainContent> {
    const { path, query, sent, params } = context;
    const { heading, list, isEmpty, next } = await load(params.section, context);
    if (query.has('code')) return { heading, body: <CodeStep fields={sent?.fields} /> };
    const body = (
      <>
        <DeskLinks path={path} />
        {list}
        {isEmpty && <p>Никого и ничего нет</p>}
        <NextLink context={context} next={next} />
      </>
    );
    return { heading, body };
  },
  acts: {
    ...actsWithCode({
      async undo({ call }, { target: id, reason }) {
        await call(undoAct, { params: { id }, body: { reason } });
        return 'Решение отменено';
      },
      async 'end-invite'({ call }, { target: id, reason }) {
        await call(endInvite, { params: { id }, body: { reason } });
        return 'Приглашение отозвано';
      },
    }),
    async pin(context, { post = '', days = '' }) {
      const until = days === '' ? null : context.now + Number(days) * 86_400;
      await context.call(pinPost, { body: { post_id: post.trim(), until } });
      return done(context, 'Закреплено');
    },
    unpin: act('Откреплено', ({ call }) => call(unpinPost, { body: {} })),
  },
});
