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

/** Actions of the journal whose target is a post. */
export const actionsOnPosts: ReadonlySet<string> = new Set(['remove', 'restore', 'dismiss', 'reopen', 'pin', 'unpin']);
