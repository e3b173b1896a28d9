import assert from 'node:assert/strict';
import { limits } from '#contract/limits.ts';
import type { Screen } from './open-screen.ts';
import { type Queries, queriesIn, textOf } from './queries.ts';

/** The posts of the list, without the heads of groups. */
export const cards = (screen: Screen): Element[] =>
  [...screen.window.document.querySelectorAll('[role=feed] article[aria-posinset]')] as unknown as Element[];

/** Waits for the list to have these texts, from its top. */
export const hasTexts = (screen: Screen, texts: string[]): Promise<void> =>
  screen.until(() =>
    assert.deepEqual(
      cards(screen).map((each) => textOf(each.querySelector(':scope > [dir=auto]'))),
      texts,
    ),
  );

/** Scrolls to the end of the list, page by page, until it has this many posts. */
export async function scrollUntil(screen: Screen, count: number): Promise<void> {
  await screen.until(async () => {
    screen.show(screen.getByRole('feed').nextElementSibling!);
    await screen.clock.advance(limits.scrollLoadMs);
    assert.ok(cards(screen).length >= count, `${cards(screen).length} posts`);
  });
}

/** The first card with this text. */
export function card(screen: Screen, text: string): Element {
  const all = [...screen.window.document.querySelectorAll('article')] as unknown as Element[];
  const found = all.find((each) => textOf(each).includes(text));
  assert.ok(found, `no card with «${text}»`);
  return found;
}

export const cardOf = (screen: Screen, text: string): Queries => queriesIn(card(screen, text));

/** Presses a button of a post. */
const pressOn = async (screen: Screen, text: string, name: string | RegExp): Promise<void> =>
  screen.click(await screen.until(() => cardOf(screen, text).getByRole('button', { name })));

/** Opens the page of a post. */
export const openPost = async (screen: Screen, text: string): Promise<void> => {
  await screen.click(await screen.until(() => card(screen, text).querySelector('time')!));
  await screen.until(() => assert.match(screen.path(), /^\/posts\//));
};

export const openMenu = (screen: Screen, text: string): Promise<void> => pressOn(screen, text, 'Действия с записью');

/** Opens the menu of a post and selects an item. */
export async function choose(screen: Screen, text: string, item: string | RegExp): Promise<void> {
  await openMenu(screen, text);
  await screen.click(await screen.findByRole('menuitem', { name: item }));
}

/** Waits for a message. */
export const toast = (screen: Screen, text: string | RegExp): Promise<Element> =>
  screen.until(() => {
    const found = screen.getAllByRole('status').find((each) => new RegExp(text).test(textOf(each)));
    assert.ok(found, `no message «${text}»`);
    return found;
  });

export const callsOf = (screen: Screen, pattern: RegExp): string[] =>
  screen.network.requests.filter((request) => pattern.test(request));

/** The form of a reply in a discussion. */
export const inlineForm = (screen: Screen): HTMLElement | null => screen.queryByRole('article', { name: 'Ответ' });

/** The open dialog, or the form in a discussion. */
function openForm(screen: Screen): Queries {
  const inline = inlineForm(screen);
  return inline ? queriesIn(inline) : screen.dialog();
}

export const textField = (screen: Screen): Promise<HTMLTextAreaElement> =>
  screen.until(() => openForm(screen).getByRole<HTMLTextAreaElement>('textbox'));

export const write = async (screen: Screen, text: string): Promise<void> => screen.fill(await textField(screen), text);

export const choice = (screen: Screen, name: string): Promise<HTMLButtonElement> =>
  screen.until(() => openForm(screen).getByRole<HTMLButtonElement>('button', { name }));

export const decide = async (screen: Screen, name: string): Promise<void> => screen.click(await choice(screen, name));

export const dialogShows = (screen: Screen, text: string | RegExp): Promise<void> =>
  screen.until(() => assert.match(textOf(screen.getByRole('dialog')), new RegExp(text)));

export const formClosed = (screen: Screen): Promise<void> =>
  screen.until(() => assert.ok(screen.queryByRole('dialog') === null && inlineForm(screen) === null));

/** Presses one of its buttons, of which CSS shows the one that fits the width. */
export const openComposer = async (screen: Screen): Promise<void> =>
  screen.click(screen.getAllByRole('button', { name: 'Новая запись' })[0]!);

export async function publish(screen: Screen, text: string): Promise<void> {
  await openComposer(screen);
  await write(screen, text);
  await decide(screen, 'Опубликовать');
  await screen.until(() => card(screen, text));
}
