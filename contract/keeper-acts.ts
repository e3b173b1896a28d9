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

/** Ready-made reasons for taking an act back. */
export const undoReasons = ['Ошибка', 'Договорились', 'Решили иначе'] as const;
const appointReasons = ['Помогает вести стену', 'Вместо прежнего модератора'] as const;

/** An act of moderators, owners or operators: its route at the desk, form, command, journal and undo read this row. */
interface Row {
  /** What it is about. An act on a discussion names one of its posts. */
  target: 'post' | 'discussion' | 'person' | 'wall';
  /** Its name in the journal. */
  journal: string;
  /** The act that undoes it. Without one, only an operator's command does. */
  inverse?: string;
  /** `person`: the one concerned. Operators carry out every act that has a command. */
  who: 'moderator' | 'owner' | 'operator' | 'person';
  /** The budget that it spends, by default that of acts. */
  budget?: 'approvals';
  /** It needs a mailed code that is at most 15 minutes old. */
  needsCode?: true;
  /** At the desk. The target is in its path: the id of the post or the name of the person. */
  call?: CallWords<string>;
  /** What it takes besides its reason, with the words of its control in the form. */
  fields?: ActFields;
  form?: FormWords;
  command?: CommandWords;
}

interface CallWords<Path> {
  path: Path;
  /** Its name in the descriptions of the API. */
  name: string;
  /** One sentence about it, for people. */
  says: string;
}

type Flag = 'remove_posts' | 'restore_posts' | 'owner';

export type ActFields = Partial<Record<Flag | 'days', string>>;

export interface FormWords {
  title: string;
  /** Above the reasons, which the person concerned reads or which remain in the journal. */
  hint: string;
  reasons: readonly string[];
  /** Each reason is a button that carries the act out. */
  isSwift?: true;
  isDangerous?: true;
  /** The message afterwards. */
  done: string;
}

/** `{id}` is the post, `{name}` the person, `{until}` the end of the term. A count is named as in the JSON. */
interface CommandWords {
  /** Without it there is no such command: the words are those of an option of another one. */
  help?: string;
  options?: ReadonlyArray<'until' | 'remove-posts' | 'restore-posts' | 'owner'>;
  json: object;
  done: string;
  /** By the reason against it; `already` also stands for those that are not named. */
  refused: { readonly already: string; readonly [reason: string]: string };
}

/** Ends the hint of acts whose reason only the journal shows. */
export const recorded = 'Причина останется в журнале.';

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
    command: {
      help: 'убрать запись со стены: для всех она удалена, автор видит причину; жалобы на неё закрываются',
      json: { removed: true },
      done: 'Запись {id} убрана со стены. Закрыто жалоб: {settled_reports}.',
      refused: { missing: 'Записи {id} нет.', already: 'Запись {id} уже убрана.' },
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
    form: { title: 'Вернуть на стену', hint: recorded, reasons: undoReasons, done: 'Возвращено на стену' },
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
    who: 'moderator',
    call: {
      path: 'POST /moderation/posts/{id}/dismissal',
      name: 'dismissReports',
      says: 'Оставить запись: жалобы на неё закрываются',
    },
    form: {
      title: 'Оставить',
      hint: `С записью ничего не случится. ${recorded}`,
      reasons: ['Нарушения нет', 'Спор, а не нарушение', 'Жалоба по ошибке'],
      isSwift: true,
      done: 'Оставлено',
    },
    command: {
      help: 'оставить запись: её жалобы закрываются, с ней ничего не происходит',
      json: {},
      done: 'Закрыто жалоб: {settled_reports}.',
      refused: {
        missing: 'Открытых жалоб на запись {id} нет.',
        already: 'Открытых жалоб на запись {id} нет.',
      },
    },
  },
  reopen: { target: 'post', journal: 'Жалобы снова открыты', who: 'moderator' },
  lock: {
    target: 'discussion',
    journal: 'Новые ответы запрещены',
    inverse: 'unlock',
    who: 'moderator',
    call: {
      path: 'PUT /moderation/posts/{id}/lock',
      name: 'lockDiscussion',
      says: 'Запретить новые ответы в обсуждении записи',
    },
    form: {
      title: 'Запретить новые ответы',
      hint: `Написанные останутся. ${recorded}`,
      reasons: ['Спор зашёл в тупик', 'Вопрос решён', 'Ушли от темы'],
      isSwift: true,
      done: 'Новые ответы запрещены',
    },
    command: {
      help: 'запретить новые ответы в обсуждении; отметки «Нравится» ставить можно',
      json: { closed: true },
      done: 'Новые ответы на запись {id} запрещены.',
      refused: { missing: 'Записи {id} нет.', already: 'Новые ответы на запись {id} уже запрещены.' },
    },
  },
  unlock: {
    target: 'discussion',
    journal: 'Новые ответы разрешены',
    inverse: 'lock',
    who: 'moderator',
    call: {
      path: 'DELETE /moderation/posts/{id}/lock',
      name: 'unlockDiscussion',
      says: 'Разрешить новые ответы',
    },
    form: {
      title: 'Разрешить новые ответы',
      hint: `Отвечать снова сможет каждый. ${recorded}`,
      reasons: undoReasons,
      isSwift: true,
      done: 'Новые ответы разрешены',
    },
    command: {
      help: 'разрешить новые ответы в обсуждении',
      json: { closed: false },
      done: 'Новые ответы на запись {id} разрешены.',
      refused: { missing: 'Записи {id} нет.', already: 'Новые ответы на запись {id} не запрещены.' },
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
    command: {
      help: 'закрепить запись над лентой вместо прежней',
      options: ['until'],
      json: { pinned: true },
      done: 'Запись {id} закреплена{until}.',
      refused: {
        missing: 'Записи {id} нет.',
        already: 'Запись {id} уже закреплена на это время.',
        reply: 'Запись {id} — ответ. Закрепить можно только запись, которая стоит в ленте.',
        past: '--until: это время уже прошло.',
      },
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
    command: {
      help: 'открепить запись',
      json: { pinned: false },
      done: 'Запись откреплена.',
      refused: { already: 'Закреплённой записи нет.' },
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
    command: {
      help: 'заблокировать: ни войти, ни писать; человек видит причину. Прерванное --remove-posts можно повторить',
      options: ['remove-posts', 'until'],
      json: { blocked: true },
      done: 'Учётная запись {name} заблокирована. Убрано записей: {removed_posts}.',
      refused: { already: '{name} уже в блокировке.', past: '--until: это время уже прошло.' },
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
    form: { title: 'Снять блокировку', hint: recorded, reasons: undoReasons, done: 'Блокировка снята' },
    command: {
      help: 'снять блокировку; человек входит заново. Прерванное --restore-posts можно повторить',
      options: ['restore-posts'],
      json: { blocked: false },
      done: 'Блокировка снята: {name}. Возвращено записей: {restored_posts}.',
      refused: { already: '{name} не в блокировке.' },
    },
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
      hint: `Не приглашать будут и те, кого он привёл. Открытые ссылки перестанут действовать. ${recorded}`,
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
      hint: recorded,
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
    command: {
      help: 'завершить все сеансы и токены человека: на каждом устройстве он входит заново',
      json: {},
      done: '{name}: завершено сеансов: {closed_sessions}, токенов: {ended_tokens}.',
      refused: { already: 'Сеансов нет.' },
    },
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
    form: { title: 'Назначить модератором', hint: recorded, reasons: appointReasons, done: 'Человек назначен' },
    command: {
      help: 'назначить модератором: в настройках у человека появляется «Модерация»',
      options: ['owner'],
      json: { moderator: true },
      done: '{name} теперь модератор.',
      refused: { already: '{name} уже модератор.' },
    },
  },
  'appoint-owner': {
    target: 'person',
    journal: 'Назначен владелец',
    who: 'owner',
    needsCode: true,
    form: { title: 'Сделать владельцем', hint: recorded, reasons: appointReasons, done: 'Человек назначен' },
    command: {
      json: { owner: true },
      done: '{name} теперь владелец стены.',
      refused: { already: '{name} уже владелец стены.' },
    },
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
      hint: recorded,
      reasons: ['По собственной просьбе', 'Решили иначе'],
      isDangerous: true,
      done: 'Роль снята',
    },
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
    who: 'operator',
    command: {
      help: 'удалить перенесённые записи человека, который ещё не заходил и просит об этом; вернуть их нельзя',
      json: { forgotten: true },
      done: 'Записи и ответы {name} больше не видны никому и удаляются.',
      refused: { already: '{name} уже заходил(а): такие учётные записи удаляет сам человек.' },
    },
  },
  invite: { target: 'wall', journal: 'Выданы приглашения', who: 'moderator' },
  'end-invite': { target: 'wall', journal: 'Приглашение отозвано', who: 'moderator' },
  registration: { target: 'wall', journal: 'Регистрация', who: 'owner' },
  settings: { target: 'wall', journal: 'Настройки стены', who: 'owner' },
  'wall-text': { target: 'wall', journal: 'Текст стены', who: 'owner' },
} as const satisfies Record<string, Row>;

export type KeeperActName = keyof typeof table;

/** An act that has a call. */
export type Called = {
  [Name in KeeperActName]: (typeof table)[Name] extends { call: object } ? Name : never;
}[KeeperActName];
export type PathOf<Name extends Called> = (typeof table)[Name]['call']['path'];
export type WhoMay<Name extends Called> = (typeof table)[Name]['who'];

/** An act that its call, its command or an undo carries out. */
export type CarriedOut = {
  [Name in KeeperActName]: (typeof table)[Name] extends { call: object } | { command: object } ? Name : never;
}[KeeperActName];

/** An act that undoes another one. */
export type Inverse = Extract<(typeof table)[KeeperActName], { inverse: string }>['inverse'];

interface Act extends Row {
  call?: CallWords<PathOf<Called>>;
}

/** By their names in the journal, which may also contain acts of another version. */
export const keeperActs: Readonly<Record<KeeperActName, Act>> & Readonly<Record<string, Act | undefined>> = table;

/** Whether an entry of the journal names the id of a post. */
export const isAboutPost = (action: string): boolean =>
  ['post', 'discussion'].includes(keeperActs[action]?.target ?? '');
