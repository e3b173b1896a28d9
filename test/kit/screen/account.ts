import assert from 'node:assert/strict';
import { openWall, type Wall } from '../wall.ts';
import { openScreen, type Screen } from './open-screen.ts';
import { type Queries, queriesIn, textOf } from './queries.ts';

interface Person {
  id: number;
  name: string;
  email: string;
}

let people = 0;

/** Creates an account with an address that no other test uses: all walls share a mail server. */
export async function newPerson(wall: Wall): Promise<Person> {
  const name = `person_${(people += 1)}`;
  return { id: await wall.person(name), name, email: `${name}@example.org` };
}

/** A page of a new person on a wall of their own, or with `asVisitor` of somebody who has not signed in. */
export async function openOwnPage(path: string, { settings = {}, asVisitor = false } = {}) {
  const wall = await openWall('sqlite', settings);
  const person = await newPerson(wall);
  const screen = await openScreen(
    wall,
    path,
    asVisitor ? { stored: { 'client-token': 'Chrome Linux' } } : { as: person.id },
  );
  return {
    wall,
    person,
    screen,
    async [Symbol.asyncDispose]() {
      await screen.close();
      await wall.close();
    },
  };
}

export const button = (place: Queries, name: string | RegExp): Promise<HTMLButtonElement> =>
  place.findByRole('button', { name });

export async function press(screen: Screen, name: string | RegExp, place: Queries = screen.main()): Promise<void> {
  await screen.click(await button(place, name));
}

/** The field of a mailed code, once it accepts input. */
export async function codeField(screen: Screen): Promise<HTMLInputElement> {
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Код из письма' });
  await screen.until(() => assert.ok(!field.readOnly));
  return field;
}

export const enterCode = async (screen: Screen, code: string): Promise<void> =>
  screen.fill(await codeField(screen), code);

const textsOf = (place: Queries, role: 'alert' | 'status'): string =>
  place.queryAllByRole(role).map(textOf).filter(Boolean).join(' | ');

/** Waits until the only error is this one; the empty text stands for none. */
export const reports = (screen: Screen, text: string | RegExp, place: () => Queries = screen.main): Promise<void> =>
  screen.until(() => {
    const shown = textsOf(place(), 'alert');
    if (typeof text === 'string') assert.equal(shown, text);
    else assert.match(shown, text);
  });

/** Waits until a message or the state of something is shown. */
export const announces = (screen: Screen, text: string | RegExp): Promise<void> =>
  screen.until(() => assert.match(textsOf(screen, 'status'), new RegExp(text)));

export const hasFocus = (screen: Screen, element: Element): Promise<void> =>
  screen.until(() => assert.ok(screen.focused() === element, `no focus: ${element.outerHTML}`));

/** Lets time pass on the server and in the browser. */
export async function pass(wall: Wall, screen: Screen, seconds: number): Promise<void> {
  wall.clock.now += seconds;
  await screen.clock.advance(seconds * 1_000);
}

/** Enters wrong codes until no try is left. */
export async function useUpTries(screen: Screen, code: string, place: () => Queries): Promise<void> {
  for (let left = 4; left >= 0; left -= 1) {
    await enterCode(screen, String((Number(code) + left + 1) % 1_000_000).padStart(6, '0'));
    await reports(screen, '', place);
    await reports(screen, left > 0 ? /^Неверный код\./ : /^Попытки закончились\. Запросите новый код\./, place);
  }
}

export const callsOf = (screen: Screen, pattern: RegExp): string[] =>
  screen.network.requests.filter((request) => pattern.test(request));

/** The dialog of signing in. */
export const signInDialog = (screen: Screen): Queries => queriesIn(screen.getByRole('dialog', { name: /^Войти/ }));

export async function openSignIn(screen: Screen): Promise<HTMLInputElement> {
  await press(screen, 'Войти', screen.banner());
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Электронная почта' });
  await hasFocus(screen, field);
  return field;
}

/** Submits an address in the open sign-in dialog. */
export async function submitAddress(screen: Screen, email: string): Promise<void> {
  screen.fill(await screen.findByRole('textbox', { name: 'Электронная почта' }), email);
  await press(screen, 'Получить код', signInDialog(screen));
}

/** Submits an address in the open sign-in dialog and waits for the step of the code. */
export async function askForCode(screen: Screen, email: string): Promise<void> {
  await submitAddress(screen, email);
  await hasFocus(screen, await codeField(screen));
}

/** The page that the browser loads after a sign-in with the code mailed last. */
export async function signedInPage(wall: Wall, screen: Screen, email: string): Promise<Screen> {
  await enterCode(screen, await wall.mail.codeTo(email));
  return nextPage(screen);
}

async function nextPage(screen: Screen): Promise<Screen> {
  await screen.until(() => assert.equal(screen.loads.length, 1));
  return screen.reload(screen.loads[0]);
}

/** The name in the header of who is signed in, undefined for a visitor. */
export const shownName = (screen: Screen): string | undefined => {
  const link = screen.window.document.querySelector('header a[href="/settings"]');
  return link ? textOf(link as unknown as Element) : undefined;
};
