import { ApiError } from '#client/api-error.ts';
import { addresses } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import {
  type ActFields,
  type FormWords,
  type KeeperActName,
  keeperActs,
  staysInJournal,
  moderationReasons,
  undoReasons,
} from '#contract/keeper-acts.ts';
import { blockDays } from '#contract/limits.ts';
import { paceSeconds, paceText } from '#contract/reply-rules.ts';
import type { FormFields } from '#contract/page-data.ts';
import type { Post } from '#contract/posts.ts';
import { formProblem, type Outcome, type PageContext, cursorIn } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import { rootIdOf } from '../posts/store/thread-tree.ts';
import { postGone } from '../posts/store/post-list-state.ts';
import { alreadyDone, takeBack } from './show-decision.ts';
import { actionName, targetOf } from './keeper-entry.ts';

/** The input of an act's form. */
interface Decided {
  /** The id of the post, invitation or entry of the journal, the name of the person, or a period. */
  subject: string;
  reason: string;
  fields: FormFields;
}

/** The form of a decision by a moderator or an owner. The journal records the reason. */
export interface KeeperForm extends Omit<FormWords, 'done'> {
  /** The form has no field for a reason in one's own words. */
  hasNoOwnReason?: true;
  /** Moderators may not use this form. */
  isForOwners?: boolean;
  fields?: ActFields | undefined;
  /** Resolves to the text that the form shows, such as the text of the post or the name of the person. */
  about(context: PageContext, subject: string): Promise<string>;
  /** The page that is shown afterwards. */
  leadsTo(subject: string): string;
  run(context: PageContext, decided: Decided): Promise<Outcome>;
  /** Makes the outcome for a subject that does not exist any more. */
  whenGone?(subject: string): Outcome;
}

/** Blocks everybody who has a waiting post from a period, some people with each call. Resolves to the message. */
async function blockAllOf(call: CallEndpoint, body: { since: number; until: number; reason: string }): Promise<string> {
  const done = { people: 0, posts: 0 };
  for (let hasMore = true; hasMore;) {
    const { people, posts, left } = await call('POST /moderation/waiting/blocks', { body });
    done.people += people;
    done.posts += posts;
    hasMore = left;
  }
  return `Заблокировано людей: ${done.people}. Убрано записей: ${done.posts}`;
}

const postOf = async ({ call, knownPost }: PageContext, id: string): Promise<Post> =>
  knownPost(id) ?? (await call('GET /posts/{id}', { params: { id } }));

const rootOf = async (context: PageContext, id: string): Promise<Post> =>
  postOf(context, rootIdOf(await postOf(context, id)));

/** The text of a post, empty if the post is deleted: one can still decide about it. */
async function textOf(context: PageContext, find: (context: PageContext) => Promise<Post>): Promise<string> {
  try {
    return (await find(context)).text;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return '';
  }
}

type Kind = Pick<KeeperForm, 'about' | 'leadsTo' | 'whenGone'> & {
  /** Resolves to the changes of the page that follow from the decision. */
  shows?(context: PageContext, subject: string): Promise<Outcome>;
};

const onPost: Kind = {
  about: (context, subject) => textOf(context, () => postOf(context, subject)),
  leadsTo: (subject) => addresses.postActions.href({ id: subject }),
};

/** The forms of acts by what they are about. */
const kinds = {
  post: onPost,
  discussion: {
    ...onPost,
    about: (context, subject) => textOf(context, () => rootOf(context, subject)),
    async shows(context, subject) {
      const changedPost = await context.call('GET /posts/{id}', {
        params: { id: rootIdOf(await postOf(context, subject)) },
      });
      return { changedPost, decision: { postId: changedPost.id } };
    },
  },
  person: {
    about: async (_context, subject) => subject,
    leadsTo: (subject) => addresses.moderationPerson.href({ username: subject }),
  },
} satisfies Record<string, Kind>;

/** The fields of a body, without the reason. */
const fieldsIn = ({ days, ...sent }: FormFields) => ({
  remove_posts: 'remove_posts' in sent,
  restore_posts: 'restore_posts' in sent,
  owner: 'owner' in sent,
  ...(blockDays.some((each) => String(each) === days) && { days: Number(days) }),
});

type ActOnSomething = (name: string, input: object) => Promise<{ act_id: string | null }>;

/** Makes the form of an act from its row in `keeperActs`. The form sends the call of the act. */
function formOf(name: KeeperActName, own: Partial<Kind> & Partial<FormWords> = {}): KeeperForm {
  const { target, call, who, fields, form, inverse } = keeperActs[name];
  const kind: Kind = kinds[target as keyof typeof kinds];
  const { done, shows, ...words } = { ...kind, ...form!, ...own };
  return {
    ...words,
    isForOwners: who === 'owner',
    fields,
    async run(context, { subject, reason, fields: sent }) {
      const taken = Object.entries(fieldsIn(sent)).filter(([field]) => field in (fields ?? {}));
      const { act_id: id } = await (context.call as unknown as ActOnSomething)(call!.path, {
        params: target === 'person' ? { username: subject } : { id: subject },
        body: { reason, ...Object.fromEntries(taken) },
      });
      const shown = await shows?.(context, subject);
      const decision = { id, ...shown?.decision, ...(inverse === undefined && { isFinal: true as const }) };
      return { message: done, ...shown, decision };
    },
  };
}

const slow = 'Медленный режим';
const paceChoices = new Map<string, (typeof paceSeconds)[number] | 0>([
  ...paceSeconds.map((seconds) => [capital(paceText(seconds)), seconds] as const),
  ['Выключить', 0],
]);

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** The cursor of the list page from which the form was opened. */
const listed = ({ query }: PageContext) => cursorIn(new URLSearchParams(query.get('next')?.split('?')[1]));

const lastHour = async (context: PageContext) =>
  (await context.call('GET /moderation/waiting', { query: {} })).last_hour;

const appointing = formOf('appoint');
const { title, hint, reasons } = keeperActs['appoint-owner'].form!;

/** The form that makes a moderator an owner. */
const appointingOwner: KeeperForm = {
  ...appointing,
  title,
  hint,
  reasons,
  fields: undefined,
  run: (context, decided) => appointing.run(context, { ...decided, fields: { owner: '1' } }),
};

const names = Object.keys(keeperActs) as KeeperActName[];
const ofTable = names.filter((name) => keeperActs[name].form && keeperActs[name].call);

const forms: Readonly<Record<string, KeeperForm>> = {
  ...Object.fromEntries(ofTable.map((name) => [name, formOf(name)])),
  remove: formOf('remove', {
    shows: async (_context, subject) => ({ gonePostId: subject, decision: { postId: subject } }),
    whenGone: (subject) => ({ message: postGone, gonePostId: subject }),
  }),
  restore: formOf('restore', {
    about: async () => '',
    shows: async (_context, subject) => ({ decision: { postId: subject } }),
  }),
  dismiss: formOf('dismiss', {
    leadsTo: () => addresses.moderation.href(),
    whenGone: () => ({ message: postGone }),
  }),
  'appoint-owner': appointingOwner,
  /** Removes a post that waits. */
  refuse: formOf('remove', {
    title: 'Убрать',
    done: 'Убрано',
    async about(context, subject) {
      const { posts } = await context.call('GET /moderation/waiting', { query: listed(context) });
      return posts.find(({ id }) => id === subject)?.text ?? '';
    },
    leadsTo: () => addresses.moderationWaiting.href(),
    whenGone: () => ({ message: alreadyDone, decision: { id: null } }),
  }),
  pace: {
    ...kinds.discussion,
    isSwift: true,
    title: slow,
    hint: 'Как часто может отвечать один человек?',
    reasons: [...paceChoices.keys()],
    hasNoOwnReason: true,
    async run(context, { subject, reason }) {
      const seconds = paceChoices.get(reason);
      if (seconds === undefined) throw formProblem('Выберите, как часто можно отвечать.');
      const input = { params: { id: subject }, body: { seconds } };
      const { act_id: id } = await context.call('PUT /moderation/posts/{id}/pace', input);
      const { decision, ...shown } = await kinds.discussion.shows(context, subject);
      const message = `${slow}: ${seconds === 0 ? 'выключен' : paceText(seconds)}`;
      return { message, ...shown, decision: { id, ...decision } };
    },
  },
  'block-branch': {
    ...kinds.person,
    title: 'Заблокировать всю ветку',
    hint: 'Его и всех, кого он привёл, кроме тех, кто ведёт стену, не больше ста за раз. Каждую блокировку можно отменить в журнале. Причину увидят эти люди.',
    reasons: moderationReasons,
    isDangerous: true,
    fields: { remove_posts: 'Убрать все их записи' },
    async run({ call }, { subject: username, reason, fields }) {
      const body = { reason, remove_posts: fieldsIn(fields).remove_posts };
      const { blocked, remaining } = await call('POST /moderation/people/{username}/branch/block', {
        params: { username },
        body,
      });
      return { message: `Заблокировано: ${blocked}${remaining === 0 ? '' : `. Осталось: ${remaining}, повторите`}` };
    },
  },
  'block-waiting': {
    title: 'Заблокировать всех и убрать',
    hint: 'Причину увидит каждый. Отменить решение о каждом можно в журнале.',
    reasons: moderationReasons,
    isSwift: true,
    isDangerous: true,
    async about(context) {
      const { people, posts } = await lastHour(context);
      return `За последний час: людей ${people}, их записей ${posts}`;
    },
    leadsTo: () => addresses.moderationWaiting.href(),
    async run({ call }, { subject, reason }) {
      const [since = 0, until = 0] = subject.split('-').map(Number);
      return { message: await blockAllOf(call, { since, until, reason }), decision: {} };
    },
  },
  undo: {
    title: 'Отменить решение',
    hint: staysInJournal,
    reasons: undoReasons,
    isSwift: true,
    async about(context, subject) {
      const { acts } = await context.call('GET /moderation/journal', { query: listed(context) });
      const entry = acts.find(({ id }) => id === subject);
      return entry ? `${actionName(entry)}: ${entry.post?.text ?? targetOf(entry)?.text ?? ''}` : '';
    },
    leadsTo: () => addresses.moderationJournal.href(),
    async run({ call }, { subject, reason }) {
      const { act_id: id } = await takeBack(call, subject, reason);
      return { message: 'Решение отменено', decision: { id, isFinal: true } };
    },
  },
  'end-invite': {
    title: 'Отозвать приглашение',
    hint: `По ссылке больше никто не придёт, напечатанные листы тоже перестанут действовать. ${staysInJournal}`,
    reasons: ['Больше не нужно', 'Ссылка ушла не туда'],
    isSwift: true,
    isDangerous: true,
    async about(context, subject) {
      const { invites } = await context.call('GET /moderation/invites', { query: listed(context) });
      return invites.find(({ id }) => id === subject)?.note ?? '';
    },
    leadsTo: () => addresses.moderationInvites.href(),
    async run({ call }, { subject, reason }) {
      const { act_id: id } = await call('DELETE /moderation/invites/{id}', {
        params: { id: subject },
        body: { reason },
      });
      return { message: 'Приглашение отозвано', decision: { id, isFinal: true } };
    },
  },
};

/** Finds the form that an address names. Throws NOT_FOUND for people who may not use it. */
export function keeperForm({ user, params }: PageContext<{ name: string }>): KeeperForm {
  const { name } = params;
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  const isAllowed = form?.isForOwners ? user.role === 'owner' : user.role !== undefined;
  if (!form || !isAllowed) throw new ApiError('NOT_FOUND', 'Ничего не найдено.', 404);
  return form;
}
