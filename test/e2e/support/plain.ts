import type { BrowserContext } from '@playwright/test';
import { newPerson, type Person } from './sign-in.ts';
import type { Wall } from './wall.ts';

/** Signs in an owner who has something on each plain page. */
export async function openPlain(context: BrowserContext, wall: Wall): Promise<Person & { own: number; other: number }> {
  const [person, author] = [await newPerson(wall), await newPerson(wall)];
  await wall.seed.appoint(person, 'owner');
  const [own, other] = await wall.seed.posts([
    { by: person.id, text: 'Своя запись' },
    { by: author.id, text: 'Чужая запись со ссылкой https://example.org/длинный/путь/до/страницы и #тегом' },
  ]);
  await wall.seed.replies(own!, [{ by: author.id, text: 'Спасибо за запись' }]);
  await wall.seed.report(other!, person.id);
  const { cookie } = await wall.seed.session(person.id);
  await wall.seed.session(person.id, { userAgent: 'Edge', userAgentVersion: '1', os: 'Windows' });
  await context.addCookies([{ name: 'session', value: cookie, url: wall.url, httpOnly: true, sameSite: 'Strict' }]);
  return { ...person, own: own!, other: other! };
}
