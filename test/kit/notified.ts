import type { NotificationPage } from '#contract/notifications.ts';
import { type Member, publish } from './member.ts';

/** Publishes a reply and resolves to its id. */
export async function replyTo(by: Member, to: string, text = 'ответ'): Promise<string> {
  return (await publish(by, text, `/posts/${to}/replies`)).id;
}

export async function notificationsOf(person: Member, query = ''): Promise<NotificationPage> {
  return (await person.send('GET', `/users/current/notifications${query}`)).json();
}

/** The notifications of a person, newest first. */
export async function notifiedOf(person: Member): Promise<Array<[id: string, kind: string]>> {
  const { posts, kinds } = await notificationsOf(person, '?limit=50');
  return posts.map(({ id }, i) => [id, kinds[i]!]);
}
