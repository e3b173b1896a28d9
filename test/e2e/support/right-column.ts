import type { Page } from '@playwright/test';
import type { Wall } from './wall.ts';

export const column = (page: Page) => page.getByRole('complementary');

const questions = [
  'Кто знает хорошую пекарню рядом с вокзалом? Приехали гости, хочется удивить',
  'Субботник в 11:00 у третьего подъезда. Грабли есть, перчатки берите свои',
  'Вещь, которую вы храните с детства?',
  'Лифт в четвёртом подъезде',
];

/** Discussions and a pinned post. */
export async function seedTalks(wall: Wall): Promise<number[]> {
  const { seed } = wall;
  const [galina, boris] = [await seed.person('galina_m'), await seed.person('boris_p')];
  const roots = await seed.posts(questions.map((text) => ({ by: galina, text, age: 7_200 })));
  for (const root of roots.toReversed()) {
    await seed.replies(root, [
      { by: boris, text: 'Раз', age: 3_600 },
      { by: galina, text: 'Два', age: 3_600 },
    ]);
  }
  const [pin] = await seed.posts([{ by: galina, text: 'Соседи, в субботу субботник у третьего подъезда.', age: 60 }]);
  await seed.act('pin', pin!);
  return roots;
}

/** A person follows a discussion, to which two replies have come since. */
export async function followWithNews({ seed }: Wall, root: number, { id }: { id: number }): Promise<void> {
  await seed.follow(root, id);
  const by = await seed.person('nina_s');
  await seed.replies(root, [
    { by, text: 'Три' },
    { by, text: 'Четыре' },
  ]);
}
