import { limits } from '#contract/limits.ts';
import type { Written } from '../../kit/seed.ts';
import { openWall, type Settings, type Wall } from './wall.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Enough for 1,000 posts on one page. */
export const ordinaryPosts = 1_040;
/** Every fortieth ordinary post is by this author. */
export const anna = 'anna_k';
export const annasPosts = ordinaryPosts / 40;
export const boris = 'boris_petrov';
export const longName = 'ekaterina_konstantinopolskaya_87';
const repliesToDiscussed = 25;

export const texts = {
  discussed: 'Какую книгу вы перечитываете чаще всего?',
  lines: 'Список на выходные:\n\n— выспаться\n— починить велосипед\n— никуда не спешить',
  links: 'Карта: https://example.org/map?x=1&y=2, и ещё (https://example.com/путь).',
  longWord: 'ж'.repeat(limits.postLength),
  full: 'Длинная запись о том, как мы ездили на море. '.repeat(12).slice(0, limits.postLength - 1) + '!',
  popular: 'Сегодня первый снег.',
  modified: 'Исправил опечатку, спасибо за внимание.',
} as const;

export type PopulatedWall = Wall & { ids: Record<keyof typeof texts | 'reply' | 'nested' | 'orphan', number> };

/**
 * The posts of `texts` are at the top of the feed, followed by the ordinary ones, of which «Запись 1» is the newest.
 */
export async function openPopulatedWall(settings: Settings): Promise<PopulatedWall> {
  const wall = await openWall(settings);
  const { seed } = wall;
  const [annaId, borisId, longId] = [await seed.person(anna), await seed.person(boris), await seed.person(longName)];

  const ordinary = Array.from({ length: ordinaryPosts }, (_, index): Written => {
    const number = ordinaryPosts - index;
    const by = number % 40 === 0 ? annaId : borisId;
    return { by, text: ordinaryText(number), age: 400 * day + number * hour };
  });
  await seed.posts(ordinary);

  const one = async (key: keyof typeof texts, by: number, age: number) => {
    const [id] = await seed.posts([{ by, text: texts[key], age }]);
    return id!;
  };
  const ids = {
    modified: await one('modified', borisId, 366 * day),
    full: await one('full', longId, 65 * day),
    longWord: await one('longWord', longId, 8 * day),
    popular: await one('popular', borisId, 2 * day),
    links: await one('links', borisId, 3 * hour),
    lines: await one('lines', borisId, 2 * hour),
    discussed: await one('discussed', borisId, 65 * minute),
  };
  await seed.mark(ids.modified, { modified_at: 1_700_000_000 });
  await seed.mark(ids.popular, { likes_count: 1_299, thread_count: 1_000_000 });

  const replies = await seed.replies(
    ids.discussed,
    Array.from({ length: repliesToDiscussed }, (_, index) => ({
      by: longId,
      text: `Ответ ${repliesToDiscussed - index}`,
    })),
  );
  const reply = replies.at(-1)!;
  const [nested] = await seed.replies(reply, [{ by: borisId, text: 'Ответ на ответ' }]);
  return { ...wall, ids: { ...ids, reply, nested: nested!, orphan: await orphan(wall, borisId) } };
}

/** Texts of varying length; the first line contains the number. */
export function ordinaryText(number: number): string {
  return `Запись ${number}\n${'Идёт дождь, и никуда не хочется. '.repeat(number % 7)}`.trim();
}

/** A reply to a deleted post. */
async function orphan({ seed }: Wall, by: number): Promise<number> {
  const [gone] = await seed.posts([{ by, text: 'Скоро удалю' }]);
  const [id] = await seed.replies(gone!, [{ by, text: 'Ответ в пустоту' }]);
  await seed.remove(gone!);
  return id!;
}
