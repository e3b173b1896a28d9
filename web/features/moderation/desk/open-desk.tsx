import type { ComponentType } from 'react';
import {
  getPerson,
  getPin,
  listInvites,
  listJournal,
  listPending,
  listPeople,
  listReported,
  type ModeratedPerson,
} from '#contract/moderation.ts';
import { getPost, type Post } from '#contract/posts.ts';
import { listReasons } from '#contract/reports.ts';
import { call } from '../../../lib/api.ts';
import { isNotFound } from '../../../lib/api-error.ts';
import { createObservable } from '../../../lib/observable.ts';
import { DeskFrame } from './desk-frame.tsx';
import { createDeskList, type DeskPage } from './desk-list.ts';
import { Invites } from './invites.tsx';
import { Journal } from './journal.tsx';
import { People } from './people.tsx';
import { Pending } from './pending.tsx';
import { PersonDetails } from './person-details.tsx';
import { Pinning } from './pinning.tsx';
import { Queue } from './queue.tsx';
import { createQueue } from './queue-list.ts';

export interface DeskParams {
  section?: 'waiting' | 'people' | 'blocked' | 'imported' | 'invites' | 'journal' | 'pin';
  username?: string;
}

/** A page of the desk with its data. What has been done on it is still there after Back. */
export interface Desk {
  heading: string;
  title?: string;
  Content: ComponentType;
}

export interface DeskRequest {
  q: string;
  signal: AbortSignal;
}

const headings = {
  queue: 'Модерация',
  waiting: 'Ждут проверки',
  people: 'Люди',
  blocked: 'Заблокированные',
  imported: 'Не заходили',
  invites: 'Приглашения',
  journal: 'Журнал',
  pin: 'Объявление',
};

/** Loads a page of the desk. Fails with NOT_FOUND for everybody but moderators. */
export async function openDesk({ section, username }: DeskParams, { q, signal }: DeskRequest): Promise<Desk> {
  if (username !== undefined) return openPerson(username, signal);
  const shown = section ?? 'queue';
  const Page = await openSection(shown, q.trim(), signal);
  const Content = () => (
    <DeskFrame section={shown}>
      <Page />
    </DeskFrame>
  );
  return { heading: headings[shown], ...(section && { title: `${headings[section]}: модерация` }), Content };
}

async function openPerson(username: string, signal: AbortSignal): Promise<Desk> {
  const person = createObservable<ModeratedPerson>(await call(getPerson, { params: { username }, signal }));
  const name = person.get().username;
  const Content = () => (
    <DeskFrame section="people">
      <PersonDetails person={person} />
    </DeskFrame>
  );
  return { heading: name, title: `${name}: модерация`, Content };
}

async function openSection(section: keyof typeof headings, q: string, signal: AbortSignal): Promise<ComponentType> {
  switch (section) {
    case 'queue': {
      const [page, { reasons }] = await Promise.all([
        call(listReported, { query: {}, signal }),
        call(listReasons, { signal }),
      ]);
      const names = new Map(reasons.map(({ id, name }) => [id, name]));
      const queue = createQueue(page, (query) => call(listReported, { query }));
      return () => <Queue queue={queue} reasons={names} />;
    }
    case 'waiting': {
      const list = await openList(signal, async (query, abort) => {
        const { posts, ...page } = await call(listPending, { query, ...abort });
        return { ...page, items: posts };
      });
      return () => <Pending list={list} />;
    }
    case 'people':
    case 'blocked':
    case 'imported': {
      const wanted = { ...(q !== '' && { q }), ...(section !== 'people' && { state: section }) };
      const list = await openList(signal, async (query, abort) => {
        const { people, next } = await call(listPeople, { query: { ...wanted, ...query }, ...abort });
        return { items: people, next };
      });
      return () => <People list={list} section={section} q={q} />;
    }
    case 'invites': {
      const list = await openList(signal, async (query, abort) => {
        const { invites, ...page } = await call(listInvites, { query, ...abort });
        return { ...page, items: invites };
      });
      return () => <Invites list={list} />;
    }
    case 'journal': {
      const list = await openList(signal, async (query, abort) => {
        const { acts, next } = await call(listJournal, { query, ...abort });
        return { items: acts, next };
      });
      return () => <Journal list={list} />;
    }
    case 'pin': {
      const [{ pinned }, post] = await Promise.all([call(getPin, { signal }), q === '' ? null : findPost(q, signal)]);
      const pin = createObservable(pinned);
      return () => <Pinning pin={pin} wanted={post} isMissing={q !== '' && post === null} />;
    }
  }
}

type FetchPage<Item, Facts> = (
  query: { cursor?: string },
  abort: { signal?: AbortSignal },
) => Promise<DeskPage<Item, Facts>>;

async function openList<Item, Facts>(signal: AbortSignal, fetchPage: FetchPage<Item, Facts>) {
  const first = await fetchPage({}, { signal });
  return createDeskList(first, (cursor) => fetchPage(cursor === null ? {} : { cursor }, {}));
}

/** Null for a post that does not exist. */
async function findPost(id: string, signal: AbortSignal): Promise<Post | null> {
  try {
    return await call(getPost, { params: { id }, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return null;
  }
}
