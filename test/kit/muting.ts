import type { Seed } from './seed.ts';

/** The author whom the tests mute. */
export const loud = 'oleg_gromkiy';
const calm = 'vera_s';

export const texts = { loud: 'Опять я, и снова о себе', calm: 'Тихое утро', disputed: 'О чём все спорят' };

/** Seeds posts of two authors alternately. The oldest one has replies by both; the post of the muted author has one reply. */
export async function seedAuthors({ seed }: { seed: Seed }) {
  const [loudId, calmId] = [await seed.person(loud), await seed.person(calm)];
  const [disputed, loudPost] = await seed.posts([
    { by: calmId, text: texts.disputed },
    { by: loudId, text: `${texts.loud}. `.repeat(6).trim() },
    { by: calmId, text: texts.calm },
  ]);
  await seed.replies(disputed!, [
    { by: calmId, text: 'Соглашусь' },
    { by: loudId, text: 'А я не согласен' },
  ]);
  const [calmReply] = await seed.replies(loudPost!, [{ by: calmId, text: 'Отвечаю громкому' }]);
  return { loudId, calmId, disputed: disputed!, loudPost: loudPost!, calmReply: calmReply! };
}
