import type { MailServer } from '../../../test/smtp.ts';
import type { Seed } from '../../support/seed.ts';
import type { Gate } from '../gate.ts';
import type { Screen } from '../screen.ts';
import type { Target } from '../target.ts';

/** What a step has to do with. */
export interface Walk {
  screen: Screen;
  gate: Gate;
  mail: MailServer;
  /** Writes to the wall beside the browser, as other people do. */
  seed: Seed;
  /** Posts of `author`, oldest first: `postText(1)` and so on. */
  posts: number[];
  author: number;
  /** The account that the walk signs in to; nobody else has it. */
  me: { id: number; name: string; email: string };
}

/** One thing that must work in every browser. Steps are done in order; each opens the page on which it begins. */
export interface WalkStep {
  name: string;
  run(walk: Walk): Promise<void>;
}

export const authorName = 'galina_m';
export const postText = (number: number): string => `Запись ${number}.`;
/** The text of the post that stands highest. */
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

/** Opens the menu of a post and takes something from it. */
export async function choose({ screen }: Walk, text: string, item: string): Promise<void> {
  await screen.click(menuButton(text));
  await screen.click(menuItem(item));
}

export async function chooseView({ screen }: Walk, name: string): Promise<void> {
  await screen.click(switcher);
  await screen.click(option(name));
}

export async function publish({ screen }: Walk, text: string): Promise<void> {
  await screen.click(newPost);
  await screen.fill(field(dialog), text);
  await screen.click(button('Опубликовать', dialog));
  await screen.see(card(text));
}

/** From the sign-in dialog until the header shows the name. */
export async function signIn({ screen, mail, me }: Walk): Promise<void> {
  await screen.fill(field(dialog), me.email);
  await screen.press('Enter');
  await screen.see({ role: 'dialog', text: me.email });
  await screen.driver.type(await mail.codeTo(me.email));
  await screen.see(link(me.name, banner));
  await screen.hydrated();
}
