import assert from 'node:assert/strict';
import { openScreen, type Screen } from './open-screen.ts';
import { callsOf, cards } from './posts.ts';
import { openSeeded } from './seeded.ts';
import { textOf } from './queries.ts';

/** A wall with a post of a person, to which Boris replies. */
export async function openReplied(settings: NodeJS.ProcessEnv = {}) {
  const wall = await openSeeded(settings);
  const boris = await wall.seed.person('boris_petrov');
  const [post] = await wall.seed.posts([{ by: wall.me, text: 'Кто идёт на каток?' }]);
  const replyAsBoris = (...texts: string[]) =>
    wall.seed.replies(
      post!,
      texts.map((text) => ({ by: boris, text })),
    );
  return { ...wall, boris, postId: post!, replyAsBoris };
}

type Replied = Awaited<ReturnType<typeof openReplied>>;

/** The link of the rail. */
export const bell = (screen: Screen): HTMLElement => screen.getAllByRole('link', { name: /^Уведомления/ })[0]!;

/** Waits for a number of unread notifications in the rail and in the bottom bar. */
export const hasUnread = (screen: Screen, count: number): Promise<void> =>
  screen.until(() => {
    const [name, number] =
      count > 0
        ? [`Уведомления, непрочитанных: ${count}`, count > 99 ? '99+' : `${count}`]
        : ['Уведомления', undefined];
    for (const link of screen.getAllByRole('link', { name: /^Уведомления/ })) {
      const shown = link.querySelector('[data-count]')?.getAttribute('data-count');
      assert.deepEqual([(link.ariaLabel ?? textOf(link)).replaceAll('\u00ad', ''), shown], [name, number]);
    }
  });

export const loaded = (screen: Screen): Promise<void> =>
  screen.until(() => assert.ok(screen.getByRole('main').querySelector('[aria-busy=true]') === null));

export async function openNotifications(wall: Replied): Promise<Screen> {
  const screen = await openScreen(wall, '/notifications', { as: wall.me });
  await loaded(screen);
  return screen;
}

/** The heads of the groups. */
export const heads = (screen: Screen): Element[] => [...screen.getByRole('feed').querySelectorAll('h2')];

export const hasHeads = (screen: Screen, texts: readonly RegExp[]): Promise<void> =>
  screen.until(() => {
    const shown = heads(screen).map(textOf);
    assert.equal(shown.length, texts.length, shown.join(' | '));
    for (const [index, text] of texts.entries()) assert.match(shown[index]!, text);
  });

/** The notifications that are marked as new. */
export const marked = (screen: Screen): Element[] => cards(screen).filter((card) => /Новый ответ/.test(textOf(card)));

export const hasMarked = (screen: Screen, count: number): Promise<void> =>
  screen.until(() => assert.equal(marked(screen).length, count));

/** The notifications in the list have been in the window for a second. */
export async function look(screen: Screen): Promise<void> {
  for (const card of cards(screen)) screen.show(card);
  await screen.clock.advance(1_500);
}

/** Reads the notifications in the list. */
export async function read(screen: Screen): Promise<void> {
  await look(screen);
  await screen.until(() => assert.equal(callsOf(screen, /^PUT .*notifications\/read$/).length, 1));
  await hasUnread(screen, 0);
}

export const pill = (screen: Screen): Promise<HTMLButtonElement> =>
  screen.findByRole('button', { name: /^Показать новые: \d/ });
