import type { DiscussionRules } from './reply-rules.ts';

/** Ready-made reasons for a removal, a block or a warning. The person concerned reads the reason. */
export const moderationReasons = [
  'Реклама или спам',
  'Оскорбления и травля',
  'Призывы к насилию',
  'Мошенничество',
  'Материалы 18+',
  'Чужие личные данные',
  'Одно и то же много раз',
  'Не по правилам стены',
] as const;

/** Ready-made reasons for undoing an act. */
export const undoReasons = ['Ошибка', 'Договорились', 'Решили иначе'] as const;
const appointReasons = ['Помогает вести стену', 'Вместо прежнего модератора'] as const;

/** An act that the journal records, in most cases of a moderator, owner or operator. Its call, form, journal and undo read this row. */
interface Row {
  /** An act on a discussion names one of its posts. */
  target: 'post' | 'discussion' | 'person' | 'wall';
  /** The name of the act in the journal. */
  journal: string;
  /** The act that undoes it. */
  inverse?: string;
  /** The act sets a column of the root post. Its call and its function follow from this. */
  sets?: { [Column in keyof DiscussionRules]: { column: Column; to: DiscussionRules[Column] } }[keyof DiscussionRules];
  /** `operator`: by a command only. `person`: by the person it is about. */
  who: 'moderator' | 'owner' | 'operator' | 'person';
  /** The budget that the act spends, by default that of all acts. */
  budget?: 'approvals';
  /** The act needs a mailed code that is at most 15 minutes old. */
  needsCode?: true;
  /** The path contains the target: the id of the post or the name of the person. The paths of `pin` and `unpin` contain none. */
  call?: CallWords<string>;
  /** The parameters besides the reason that the form asks for, each with the label of its control. */
  fields?: ActFields;
  form?: FormWords;
}

interface CallWords<Path> {
  path: Path;
  /** The name of the call in the descriptions of the API. */
  name: string;
  /** One sentence about the call, for people. */
  says: string;
}

type Flag = 'remove_posts' | 'restore_posts' | 'owner';

export type ActFields = Partial<Record<Flag | 'days', string>>;

export interface FormWords {
  title: string;
  /** Stands above the choice of reasons and says who will read the reason. */
  hint: string;
  reasons: readonly string[];
  /** Each reason is a button that carries the act out. */
  isSwift?: true;
  isDangerous?: true;
  /** The message afterwards. */
  done: string;
}

/** Ends the hint of an act whose reason only the journal shows. */
export const staysInJournal = 'Причина останется в журнале.';

const table = {
  approve: {
    target: 'post',
    journal: 'Запись новичка пропущена',
    who: 'moderator',
    budget: 'approvals',
    call: {
      path: 'POST /moderation/posts/{id}/approval',
      name: 'approvePost',
      says: 'Показать всем запись новичка: она появляется на стене',
    },
  },
  remove: {
    target: 'post',
    journal: 'Запись убрана со стены',
    inverse: 'restore',
    who: 'moderator',
    call: {
      path: 'POST /moderation/posts/{id}/removal',
      name: 'removePost',
      says: 'Убрать запись со стены; жалобы на неё закрываются',
    },
    form: {
      title: 'Убрать со стены',
      hint: 'Причину увидит автор.',
      reasons: moderationReasons,
      isSwift: true,
      isDangerous: true,
      done: 'Убрано со стены',
    },
  },
  restore: {
    target: 'post',
    journal: 'Запись возвращена на стену',
    inverse: 'remove',
    who: 'moderator',
    call: {
      path: 'POST /moderation/posts/{id}/restoration',
      name: 'returnPost',
      says: 'Вернуть убранную запись на стену',
    },
    form: { title: 'Вернуть на стену', hint: staysInJournal, reasons: undoReasons, done: 'Возвращено на стену' },
  },
  dismiss: {
    target: 'post',
    journal: 'Запись оставлена',
    inverse: 'reopen',
    who: 'moderator',
    call: {
      path: 'POST /moderation/posts/{id}/dismissal',
      name: 'dismissReports',
      says: 'Оставить запись: жалобы на неё закрываются',
    },
    form: {
      title: 'Оставить',
      hint: `С записью ничего не случится. ${staysInJournal}`,
      reasons: ['Нарушения нет', 'Спор, а не нарушение', 'Жалоба по ошибке'],
      isSwift: true,
      done: 'Оставлено',
    },
  },
  reopen: { target: 'post', journal: 'Жалобы снова открыты', who: 'moderator' },
  lock: {
    target: 'discussion',
    journal: 'Новые ответы запрещены',
    inverse: 'unlock',
    sets: { column: 'closed_by', to: 'keeper' },
    who: 'moderator',
    call: {
      path: 'PUT /moderation/posts/{id}/lock',
      name: 'lockDiscussion',
      says: 'Запретить новые ответы в обсуждении записи',
    },
    form: {
      title: 'Запретить новые ответы',
      hint: `Написанные останутся. ${staysInJournal}`,
      reasons: ['Спор зашёл в тупик', 'Вопрос решён', 'Ушли от темы'],
      isSwift: true,
      done: 'Новые ответы запрещены',
    },
  },
  unlock: {
    target: 'discussion',
    journal: 'Новые ответы разрешены',
    inverse: 'lock',
    sets: { column: 'closed_by', to: null },
    who: 'moderator',
    call: {
      path: 'DELETE /moderation/posts/{id}/lock',
      name: 'unlockDiscussion',
      says: 'Разрешить новые ответы',
    },
    form: {
      title: 'Разрешить новые ответы',
      hint: `Отвечать снова сможет каждый. ${staysInJournal}`,
      reasons: undoReasons,
      isSwift: true,
      done: 'Новые ответы разрешены',
    },
  },
  pace: {
    target: 'discussion',
    journal: 'Медленный режим',
    inverse: 'pace',
    who: 'moderator',
    call: {
      path: 'PUT /moderation/posts/{id}/pace',
      name: 'paceDiscussion',
      says: 'Медленный режим обсуждения: как часто отвечает один человек',
    },
  },
  pin: {
    target: 'post',
    journal: 'Запись закреплена',
    inverse: 'unpin',
    who: 'moderator',
    call: {
      path: 'PUT /moderation/pin',
      name: 'pinPost',
      says: 'Закрепить запись над лентой',
    },
  },
  unpin: {
    target: 'post',
    journal: 'Запись откреплена',
    inverse: 'pin',
    who: 'moderator',
    call: {
      path: 'DELETE /moderation/pin',
      name: 'unpinPost',
      says: 'Открепить',
    },
  },
  block: {
    target: 'person',
    journal: 'Блокировка',
    inverse: 'unblock',
    who: 'moderator',
    needsCode: true,
    call: {
      path: 'POST /moderation/people/{username}/block',
      name: 'blockPerson',
      says: 'Заблокировать; нужен свежий код',
    },
    fields: { remove_posts: 'Убрать все записи этого автора', days: 'На сколько?' },
    form: {
      title: 'Заблокировать',
      hint: 'Причину увидит этот человек.',
      reasons: moderationReasons,
      isDangerous: true,
      done: 'Человек заблокирован',
    },
  },
  unblock: {
    target: 'person',
    journal: 'Блокировка снята',
    inverse: 'block',
    who: 'moderator',
    needsCode: true,
    call: {
      path: 'POST /moderation/people/{username}/unblock',
      name: 'unblockPerson',
      says: 'Снять блокировку; нужен свежий код',
    },
    fields: { restore_posts: 'Вернуть записи, убранные при блокировке' },
    form: { title: 'Снять блокировку', hint: staysInJournal, reasons: undoReasons, done: 'Блокировка снята' },
  },
  'end-inviting': {
    target: 'person',
    journal: 'Право приглашать отнято',
    inverse: 'allow-inviting',
    who: 'moderator',
    call: {
      path: 'DELETE /moderation/people/{username}/inviting',
      name: 'endInviting',
      says: 'Лишить человека и его ветку права приглашать',
    },
    form: {
      title: 'Лишить права приглашать',
      hint: `Не приглашать будут и те, кого он привёл. Открытые ссылки перестанут действовать. ${staysInJournal}`,
      reasons: ['Приводит спамеров', 'Раздаёт ссылки всем подряд', 'Не по правилам стены'],
      isSwift: true,
      isDangerous: true,
      done: 'Больше не приглашает',
    },
  },
  'allow-inviting': {
    target: 'person',
    journal: 'Право приглашать возвращено',
    inverse: 'end-inviting',
    who: 'moderator',
    call: {
      path: 'PUT /moderation/people/{username}/inviting',
      name: 'allowInviting',
      says: 'Вернуть право приглашать',
    },
    form: {
      title: 'Вернуть право приглашать',
      hint: staysInJournal,
      reasons: undoReasons,
      isSwift: true,
      done: 'Снова приглашает',
    },
  },
  warn: {
    target: 'person',
    journal: 'Предупреждение',
    inverse: 'unwarn',
    who: 'moderator',
    call: {
      path: 'POST /moderation/people/{username}/warning',
      name: 'warnPerson',
      says: 'Предупредить: человек прочтёт причину на следующей странице',
    },
    form: {
      title: 'Предупредить',
      hint: 'Человек прочтёт это на следующей же странице.',
      reasons: moderationReasons,
      isSwift: true,
      done: 'Человек предупреждён',
    },
  },
  unwarn: { target: 'person', journal: 'Предупреждение отменено', who: 'moderator' },
  claim: { target: 'person', journal: 'Перенесённое забрано', who: 'person' },
  'read-warning': { target: 'person', journal: 'Предупреждение прочитано', who: 'person' },
  'remove-posts': { target: 'person', journal: 'Записи убраны', who: 'moderator' },
  'restore-posts': { target: 'person', journal: 'Записи возвращены', who: 'moderator' },
  'close-sessions': {
    target: 'person',
    journal: 'Сеансы завершены',
    who: 'operator',
  },
  'change-email': { target: 'person', journal: 'Смена адреса почты', who: 'operator' },
  appoint: {
    target: 'person',
    journal: 'Назначен модератор',
    who: 'owner',
    needsCode: true,
    call: {
      path: 'POST /moderation/people/{username}/appointment',
      name: 'appointPerson',
      says: 'Назначить модератором или владельцем; нужен свежий код',
    },
    fields: { owner: 'Сразу владельцем стены: он тоже назначает и снимает других' },
    form: { title: 'Назначить модератором', hint: staysInJournal, reasons: appointReasons, done: 'Человек назначен' },
  },
  'appoint-owner': {
    target: 'person',
    journal: 'Назначен владелец',
    who: 'owner',
    needsCode: true,
    form: { title: 'Сделать владельцем', hint: staysInJournal, reasons: appointReasons, done: 'Человек назначен' },
  },
  'dismiss-moderator': {
    target: 'person',
    journal: 'Снят модератор',
    who: 'owner',
    needsCode: true,
    call: {
      path: 'POST /moderation/people/{username}/dismissal',
      name: 'dismissPerson',
      says: 'Снять с модераторов или владельцев; нужен свежий код',
    },
    form: {
      title: 'Снять с роли',
      hint: staysInJournal,
      reasons: ['По собственной просьбе', 'Решили иначе'],
      isDangerous: true,
      done: 'Роль снята',
    },
  },
  'forget-imported': {
    target: 'person',
    journal: 'Перенесённое удалено',
    who: 'operator',
  },
  invite: { target: 'wall', journal: 'Выданы приглашения', who: 'moderator' },
  'end-invite': { target: 'wall', journal: 'Приглашение отозвано', who: 'moderator' },
  registration: { target: 'wall', journal: 'Регистрация', who: 'owner' },
  settings: { target: 'wall', journal: 'Настройки стены', who: 'owner' },
  'wall-text': { target: 'wall', journal: 'Текст стены', who: 'owner' },
  'see-code': { target: 'wall', journal: 'Показан код нового человека', who: 'owner' },
} as const satisfies Record<string, Row>;

export type KeeperActName = keyof typeof table;

type With<Fields> = {
  [Name in KeeperActName]: (typeof table)[Name] extends Fields ? Name : never;
}[KeeperActName];
/** An act that has a call. */
export type Called = With<{ call: object }>;
export type PathOf<Name extends Called> = (typeof table)[Name]['call']['path'];
export type WhoMay<Name extends Called> = (typeof table)[Name]['who'];

/** An act that undoes another one. */
export type Inverse = Extract<(typeof table)[KeeperActName], { inverse: string }>['inverse'];

/** An act that sets a column of a root post. */
export type SettingAct = With<{ sets: object; call: object }>;
export const settingActs = (Object.keys(table) as KeeperActName[]).filter(
  (name): name is SettingAct => 'sets' in table[name],
);

interface Act extends Row {
  inverse?: Inverse;
  call?: CallWords<PathOf<Called>>;
}

/** The acts by name. The journal may also contain acts of another version, which are undefined here. */
export const keeperActs: Readonly<Record<KeeperActName, Act>> & Readonly<Record<string, Act | undefined>> = table;

/** Whether an entry of the journal names the id of a post. */
export const isAboutPost = (action: string): boolean =>
  ['post', 'discussion'].includes(keeperActs[action]?.target ?? '');
