import assert from 'node:assert/strict';
import type { Wall } from '../wall.ts';
import type { Screen } from './open-screen.ts';
import { type Queries, queriesIn, textOf } from './queries.ts';

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

/** Waits until the only error is this one; the empty text stands for none. */
export const reports = (screen: Screen, text: string | RegExp, place: () => Queries = screen.main): Promise<void> =>
  screen.until(() => {
    const shown = place().queryAllByRole('alert').map(textOf).filter(Boolean).join(' | ');
    if (typeof text === 'string') assert.equal(shown, text);
    else assert.match(shown, text);
  });

export const hasFocus = (screen: Screen, element: Element): Promise<void> =>
  screen.until(() => assert.ok(screen.focused() === element, `no focus: ${element.outerHTML}`));

/** Lets time pass on the server and in the browser. */
export async function pass(wall: Wall, screen: Screen, seconds: number): Promise<void> {
  wall.clock.now += seconds;
  await screen.clock.advance(seconds * 1_000);
}

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
  await screen.until(() => assert.equal(screen.loads.length, 1));
  return screen.reload(screen.loads[0]);
}

/** Signs in through the open dialog; resolves to the page that is loaded then. */
export async function signInAs(screen: Screen, wall: Wall, email: string): Promise<Screen> {
  await askForCode(screen, email);
  return signedInPage(wall, screen, email);
}

/** The name in the header of who is signed in, undefined for a visitor. */
export const shownName = (screen: Screen): string | undefined => {
  const link = screen.window.document.querySelector('header a[href="/settings"]');
  return link ? textOf(link as unknown as Element) : undefined;
};
