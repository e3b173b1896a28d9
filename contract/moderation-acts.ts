/** Ready-made reasons for a removal or a block. The person concerned reads the reason. */
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

/** Ready-made reasons for closing a discussion. */
export const lockReasons = ['Спор зашёл в тупик', 'Вопрос решён', 'Ушли от темы'] as const;

/** The terms of a block, in days. */
export const blockDays = [1, 7, 30] as const;

/** The acts of moderators and operators. The commands, the undo and the journal read this table. */
interface Act {
  /** The kind of thing that its entry in the journal is about. */
  target: 'post' | 'person' | 'wall';
  /** Its name in the journal. */
  journal: string;
  /** The act that undoes it. Without one, only an operator's command does. */
  inverse?: string;
  /** The limit for moderators; without it only operators may. The code is at most 15 minutes old. */
  limit?: 'budget' | 'budget and code';
  /** The texts of a command that takes nothing but the target and a reason. */
  command?: CommandWords;
}

/** `{id}` is the post, `{name}` the person, `{settled}` the number of reports that were settled. */
interface CommandWords {
  help: string;
  json: object;
  done: string;
  /** By the reason against it; `already` also stands for those that are not named. */
  refused: { readonly already: string; readonly [reason: string]: string };
}

const table = {
  approve: { target: 'post', journal: 'Запись новичка пропущена', limit: 'budget' },
  remove: {
    target: 'post',
    journal: 'Запись убрана со стены',
    inverse: 'restore',
    limit: 'budget',
    command: {
      help: 'убрать запись со стены: для всех она удалена, автор видит причину; жалобы на неё закрываются',
      json: { removed: true },
      done: 'Запись {id} убрана со стены. Закрыто жалоб: {settled}.',
      refused: { missing: 'Записи {id} нет.', already: 'Запись {id} уже убрана.' },
    },
  },
  restore: {
    target: 'post',
    journal: 'Запись возвращена на стену',
    inverse: 'remove',
    limit: 'budget',
    command: {
      help: 'вернуть убранную запись на прежнее место, с отметками «Нравится» и ответами',
      json: { removed: false },
      done: 'Запись {id} возвращена на стену.',
      refused: {
        missing: 'Запись {id} не убрана.',
        already: 'Запись {id} не убрана.',
        'author gone': 'Запись {id} не вернуть: её автор удалил учётную запись.',
      },
    },
  },
  dismiss: {
    target: 'post',
    journal: 'Запись оставлена',
    inverse: 'reopen',
    limit: 'budget',
    command: {
      help: 'оставить запись: её жалобы закрываются, с ней ничего не происходит',
      json: {},
      done: 'Закрыто жалоб: {settled}.',
      refused: {
        missing: 'Открытых жалоб на запись {id} нет.',
        already: 'Открытых жалоб на запись {id} нет.',
      },
    },
  },
  reopen: { target: 'post', journal: 'Жалобы снова открыты' },
  lock: {
    target: 'post',
    journal: 'Обсуждение закрыто',
    inverse: 'unlock',
    limit: 'budget',
    command: {
      help: 'закрыть обсуждение: новых ответов в нём не будет, отметки «Нравится» ставить можно',
      json: { closed: true },
      done: 'Обсуждение записи {id} закрыто.',
      refused: { missing: 'Записи {id} нет.', already: 'Обсуждение записи {id} уже закрыто.' },
    },
  },
  unlock: {
    target: 'post',
    journal: 'Обсуждение открыто',
    inverse: 'lock',
    limit: 'budget',
    command: {
      help: 'снова открыть обсуждение',
      json: { closed: false },
      done: 'Обсуждение записи {id} открыто.',
      refused: { missing: 'Записи {id} нет.', already: 'Обсуждение записи {id} не закрыто.' },
    },
  },
  pace: { target: 'post', journal: 'Медленный режим', inverse: 'pace', limit: 'budget' },
  pin: { target: 'post', journal: 'Запись закреплена', inverse: 'unpin', limit: 'budget' },
  unpin: { target: 'post', journal: 'Запись откреплена', inverse: 'pin', limit: 'budget' },
  block: { target: 'person', journal: 'Блокировка', inverse: 'unblock', limit: 'budget and code' },
  unblock: { target: 'person', journal: 'Блокировка снята', inverse: 'block', limit: 'budget and code' },
  'end-inviting': {
    target: 'person',
    journal: 'Право приглашать отнято',
    inverse: 'allow-inviting',
    limit: 'budget',
  },
  'allow-inviting': {
    target: 'person',
    journal: 'Право приглашать возвращено',
    inverse: 'end-inviting',
    limit: 'budget',
  },
  warn: { target: 'person', journal: 'Предупреждение', inverse: 'unwarn', limit: 'budget' },
  unwarn: { target: 'person', journal: 'Предупреждение отменено' },
  'read-warning': { target: 'person', journal: 'Предупреждение прочитано' },
  'remove-posts': { target: 'person', journal: 'Записи убраны' },
  'restore-posts': { target: 'person', journal: 'Записи возвращены' },
  'close-sessions': { target: 'person', journal: 'Сеансы завершены' },
  'change-email': { target: 'person', journal: 'Смена адреса почты' },
  appoint: {
    target: 'person',
    journal: 'Назначен модератор',
    command: {
      help: 'назначить модератором: в настройках у человека появляется «Модерация»',
      json: { moderator: true },
      done: '{name} теперь модератор.',
      refused: { already: '{name} уже модератор.' },
    },
  },
  'appoint-owner': {
    target: 'person',
    journal: 'Назначен владелец',
    command: {
      help: 'назначить владельцем: он ведёт хозяйство стены, назначает и снимает модераторов',
      json: { owner: true },
      done: '{name} теперь владелец стены.',
      refused: { already: '{name} уже владелец стены.' },
    },
  },
  'dismiss-moderator': {
    target: 'person',
    journal: 'Снят модератор',
    command: {
      help: 'снять с модераторов или владельцев: следующее же действие человека будет отклонено',
      json: { moderator: false },
      done: '{name} больше не модератор.',
      refused: {
        already: '{name} не модератор.',
        'last owner': '{name} — последний владелец стены. Сначала назначьте другого: appoint ИМЯ --owner.',
      },
    },
  },
  'forget-imported': {
    target: 'person',
    journal: 'Перенесённое удалено',
    command: {
      help: 'удалить перенесённые записи человека, который ещё не заходил и просит об этом; вернуть их нельзя',
      json: { forgotten: true },
      done: 'Записи и ответы {name} больше не видны никому и удаляются.',
      refused: { already: '{name} уже заходил(а): такие учётные записи удаляет сам человек.' },
    },
  },
  invite: { target: 'wall', journal: 'Выданы приглашения', limit: 'budget' },
  'end-invite': { target: 'wall', journal: 'Приглашение отозвано', limit: 'budget' },
  registration: { target: 'wall', journal: 'Регистрация', limit: 'budget' },
  settings: { target: 'wall', journal: 'Настройки стены', limit: 'budget' },
  'wall-text': { target: 'wall', journal: 'Текст стены', limit: 'budget' },
} as const satisfies Record<string, Act>;

export type ActName = keyof typeof table;

/** An act on a post that its call, its command and the undo carry out with the same arguments. */
export type PostActName = {
  [Name in ActName]: (typeof table)[Name] extends { target: 'post'; command: object } ? Name : never;
}[ActName];

/** An act on a post that undoes another one. */
export type PostInverse = Extract<(typeof table)[ActName], { target: 'post'; inverse: string }>['inverse'];

/** By their names in the journal, which may also contain acts of another version. */
export const acts: Readonly<Record<ActName, Act>> & Readonly<Record<string, Act | undefined>> = table;
