import type { Seed } from './seed.ts';

/** A reply with the replies below it. */
export interface Sample {
  text: string;
  below?: readonly Sample[];
  by?: string;
}

/** Writes a root post and the tree below it, level by level. Returns the ids by text. */
export async function seedDiscussion(
  { seed }: { seed: Seed },
  root: string,
  replies: readonly Sample[],
): Promise<Map<string, number>> {
  const people = new Map<string, number>();
  const person = async (name: string): Promise<number> => {
    const id = people.get(name) ?? (await seed.person(name));
    people.set(name, id);
    return id;
  };
  const [id] = await seed.posts([{ by: await person('galina_m'), text: root, age: 86_400 }]);
  const ids = new Map([[root, id!]]);
  let level: Array<[parent: number, reply: Sample]> = replies.map((reply) => [id!, reply]);
  let age = 80_000;
  while (level.length > 0) {
    const next: typeof level = [];
    for (const [parent, reply] of level) {
      const by = await person(reply.by ?? 'boris_p');
      const [written] = await seed.replies(parent, [{ by, text: reply.text, age: (age -= 60) }]);
      ids.set(reply.text, written!);
      for (const below of reply.below ?? []) next.push([written!, below]);
    }
    level = next;
  }
  return ids;
}

/** A sample of 30 replies in 5 levels. */
export const bakeries: Sample[] = [
  {
    text: 'На углу Садовой, у старой аптеки. Хлеб там пекут дважды в день, и после шести вечера он ещё тёплый.',
    by: 'inna_k',
    below: [
      {
        text: 'А ржаной есть?',
        below: [
          {
            text: 'Есть, но до обеда.',
            by: 'inna_k',
            below: [
              {
                text: 'Спасибо, зайду завтра!',
                below: [
                  { text: 'Только не в понедельник: выходной.', by: 'ekaterina_konstantinopolskaya_87' },
                  { text: 'И карты не принимают.', by: 'inna_k' },
                ],
              },
            ],
          },
          { text: 'Ржаной лучше на рынке, у входа со стороны трамвая.', by: 'victor_l' },
        ],
      },
      { text: 'Подтверждаю, беру там булочки с корицей.', by: 'elena_v' },
      { text: 'Цены выросли, кстати.', by: 'victor_l', below: [{ text: 'Везде выросли.', by: 'inna_k' }] },
    ],
  },
  {
    text: 'Пекарня во дворе двенадцатого дома.',
    by: 'elena_v',
    below: [
      { text: 'Закрылась весной.', by: 'victor_l', below: [{ text: 'Жаль. Хорошая была.', by: 'elena_v' }] },
      { text: 'Открылась снова, хозяева другие.' },
    ],
  },
  {
    text: 'Я пеку сама: мука, вода, соль и терпение.',
    by: 'ekaterina_konstantinopolskaya_87',
    below: [{ text: 'Поделитесь закваской?' }],
  },
  ...Array.from({ length: 7 }, (_, index) => ({
    text: `Поддерживаю, ${index + 1}.`,
    by: index % 2 ? 'victor_l' : 'inna_k',
    below: [{ text: `И я, ${index + 1}.` }],
  })),
];

export const question = 'Кто знает хорошую пекарню недалеко от центра? Переехали месяц назад и всё ещё ищем.';
