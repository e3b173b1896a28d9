import { excerpt } from '#contract/excerpt.ts';
import { limits } from '#contract/limits.ts';
import { documentTitle, userSummary, wallSummary } from '#contract/page.ts';
import { feedViews } from '../layout/feed-views.ts';
import type { PostStore } from '../posts/post-store.ts';
import type { Route } from '../router/routes.ts';
import type { View } from '../router/screen.ts';

interface Description {
  /** The page's own name, its first heading. */
  heading: string;
  /** What the tab, a bookmark and a shared link say. */
  title: string;
  summary: string;
}

const feedTitle = 'Стена';
const undoDescription = { heading: 'Электронная почта', title: 'Отмена смены адреса' };

export function describeView(view: View, store: PostStore, appName: string): Description {
  const { heading, title = heading, summary = wallSummary } = describe(view, store);
  return { heading, title: documentTitle(title, appName), summary };
}

function describe(view: View, store: PostStore): Partial<Description> & { heading: string } {
  switch (view.kind) {
    case 'feed':
      return { heading: feedTitle };
    case 'post':
      return describePost(view.id, store);
    case 'user':
      return describeUser(view.user.username);
    case 'post-not-found':
      return { heading: 'Запись', title: 'Запись не найдена' };
    case 'not-found':
    case 'sign-in-needed':
      return { heading: 'Страница', title: 'Страница не существует' };
    case 'personal':
    case 'secured':
    case 'session-failed':
    case 'loading':
      return describeRoute(view.of);
    case 'email-undo':
      return undoDescription;
    case 'failed':
      return { heading: 'Ошибка' };
  }
}

function describePost(id: string, store: PostStore) {
  const post = store.post(id);
  const heading = 'Запись';
  if (!post) return { heading };
  const title = `${post.owner.username}: ${excerpt(post.text, limits.titleLength)}`;
  return { heading, title, summary: excerpt(post.text, 200) };
}

function describeUser(username: string) {
  return { heading: username, summary: userSummary(username) };
}

function describeRoute(route: Route) {
  switch (route.name) {
    case 'feed':
      return { heading: feedTitle };
    case 'post':
      return { heading: 'Запись' };
    case 'user':
      return describeUser(route.username);
    case 'liked':
    case 'own-posts':
    case 'own-replies':
      return { heading: feedViews[route.name].name };
    case 'answers':
      return { heading: 'Ответы мне' };
    case 'settings':
      return { heading: 'Настройки' };
    case 'settings-email':
      return { heading: 'Электронная почта' };
    case 'settings-username':
      return { heading: 'Имя пользователя' };
    case 'settings-deletion':
      return { heading: 'Удаление', title: 'Удаление учётной записи' };
    case 'settings-devices':
      return { heading: 'Устройства' };
    case 'settings-muted':
      return { heading: 'Скрытые', title: 'Скрытые авторы' };
    case 'email-undo':
      return undoDescription;
    case 'not-found':
      return { heading: 'Страница' };
  }
}
