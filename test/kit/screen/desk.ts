import assert from 'node:assert/strict';
import { seedReported } from '../seed.ts';
import { openScreen, type Screen } from './open-screen.ts';
import { queriesIn, textOf } from './queries.ts';
import { openSeeded, type SeededWall } from './seeded.ts';

interface DeskOptions {
  path?: string;
  /** Posts of one author, each reported by two people. */
  texts?: readonly string[];
  /** Changes the wall before the page is opened. */
  prepare?: (wall: SeededWall, reported: Awaited<ReturnType<typeof seedReported>>) => Promise<unknown>;
}

export type OpenDesk = Awaited<ReturnType<typeof openDesk>>;

/** A wall of its own with a page of the desk as a moderator sees it. `await using` closes both. */
export async function openDesk({ path = '/moderation', texts = [], prepare }: DeskOptions = {}) {
  const wall = await openSeeded({ RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
  const reported = await seedReported(wall, texts);
  await prepare?.(wall, reported);
  const me = wall.anna;
  const { role } = await wall.db.read
    .selectFrom('users')
    .select('role')
    .where('id', '=', me.id)
    .executeTakeFirstOrThrow();
  if (role === null) await wall.seed.appoint(me);
  const screen = await openScreen(wall, path, { as: me.id });
  await screen.findByRole('navigation', { name: 'Модерация' });
  return {
    ...reported,
    ...deskOf(screen),
    wall,
    screen,
    me,
    async [Symbol.asyncDispose]() {
      await screen.close();
      await wall.close();
    },
  };
}

/** Queries and actions at the desk. */
export function deskOf(screen: Screen) {
  const cards = () => [...screen.getByRole('main').querySelectorAll<HTMLElement>('ul[aria-label=Жалобы] article')];
  const card = (text: string): HTMLElement => {
    const found = cards().find((each) => textOf(each).includes(text));
    assert.ok(found, `no card with «${text}»`);
    return found;
  };
  const act = async (text: string, name: string): Promise<void> =>
    screen.click(await screen.until(() => queriesIn(card(text)).getByRole('button', { name })));
  const choose = async (name: string | RegExp): Promise<void> =>
    screen.click(await screen.until(() => screen.dialog().getByRole('button', { name })));
  return {
    cards,
    card,
    /** Waits until the post has left the list and the dialog is closed. */
    gone: (text: string) =>
      screen.until(() => {
        assert.ok(!cards().some((each) => textOf(each).includes(text)), text);
        assert.ok(screen.queryByRole('dialog') === null, 'the dialog is open');
      }),
    /** Presses a button of a reported post. */
    act,
    /** Presses a button of the open dialog. */
    choose,
    /** Removes a post. */
    async remove(text: string, reason: string | RegExp): Promise<void> {
      await act(text, 'Убрать со стены');
      await choose(reason);
    },
    /** Chooses one of the reasons of the open dialog that must be confirmed. */
    async pick(reason: string): Promise<void> {
      await screen.click(await screen.until(() => screen.dialog().getByLabelText(reason)));
    },
    hasButton: (text: string, name: string) => queriesIn(card(text)).queryByRole('button', { name }) !== null,
    cardShows: (text: string, what: string | RegExp) => screen.until(() => assertShows(card(text), what)),
    mainShows: (what: string | RegExp) => screen.until(() => assertShows(screen.getByRole('main'), what)),
    dialogShows: (what: string | RegExp) => screen.until(() => assertShows(screen.getByRole('dialog'), what)),
    formClosed: () => screen.until(() => assert.ok(screen.queryByRole('dialog') === null, 'the dialog is open')),
    toastShows: (what: string) =>
      screen.until(() =>
        assert.ok(
          screen.getAllByRole('status').some((each) => textOf(each).includes(what)),
          what,
        ),
      ),
    focused: (element: () => Element) =>
      screen.until(() => assert.ok(screen.focused() === element(), 'the focus is elsewhere')),
  };
}

const assertShows = (element: Element | null, what: string | RegExp): void => {
  const text = textOf(element);
  assert.ok(typeof what === 'string' ? text.includes(what) : what.test(text), `${String(what)} is not in «${text}»`);
};
