import type { MailServer } from '../../../kit/smtp.ts';
import type { Seed } from '../../../kit/seed.ts';
import type { NetworkProxy } from '../network-proxy.ts';
import type { Screen, Target } from '../screen.ts';

/** The context of a step. */
export interface Walk {
  screen: Screen;
  network: NetworkProxy;
  mail: MailServer;
  /** Writes to the database directly, as other people would. */
  seed: Seed;
  /** Posts by `author`, oldest first: `postText(1)` and so on. */
  posts: number[];
  author: number;
  /** The account used by the steps; no other test uses it. */
  me: { id: number; name: string; email: string };
}

/** One function of the app that must work in every browser. Steps run in order; each opens its start page. */
export interface WalkStep {
  name: string;
  run(walk: Walk): Promise<void>;
}

export const authorName = 'galina_m';
export const postText = (number: number): string => `Запись ${number}.`;
/** The text of the newest post. */
export const newest = ({ posts }: Walk): string => postText(posts.length);

export const dialog: Target = { role: 'dialog' };
export const main: Target = { role: 'main' };
export const banner: Target = { role: 'banner' };
export const card = (text: string): Target => ({ role: 'article', text });
export const button = (name: string, within: Target = main): Target => ({ role: 'button', name, within });
export const link = (name: string, within: Target = main): Target => ({ role: 'link', name, within });
export const heading = (name: string): Target => ({ role: 'heading', name });
export const toast = (text: string): Target => ({ role: 'status', text });
export const field = (within: Target): Target => ({ role: 'textbox', within });
export const timeOf = (text: string): Target => ({ role: 'time', within: card(text) });
export const like = (text: string): Target => button('Нравится…', card(text));
export const reply = (text: string): Target => button('Ответить…', card(text));
export const menuButton = (text: string): Target => button('Действия с записью', card(text));
export const menuItem = (name: string): Target => ({ role: 'menuitem', name });
export const switcher: Target = { role: 'combobox', name: 'Лента' };
export const option = (name: string): Target => ({ role: 'option', name });
export const newPost: Target = { role: 'button', name: 'Новая запись' };
export const signInButton = button('Войти', banner);

/** Completes the open sign-in dialog and waits for the username in the header. */
export async function signIn({ screen, mail, me }: Walk): Promise<void> {
  await screen.fill(field(dialog), me.email);
  await screen.press('Enter');
  await screen.see({ role: 'dialog', text: me.email });
  await screen.driver.type(await mail.codeTo(me.email));
  await screen.see(link(me.name, banner));
  await screen.hydrated();
}
