import { cpSync, rmSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig } from 'vitepress';

/**
 * The pages by subject, in the order of reading. ARCHITECTURE, CONTRIBUTING and the decisions are for people who have the
 * sources before them.
 */
const subjects = {
  Начало: {
    'README.md': 'О программе',
    'docs/guide/install.md': 'Установка',
    'docs/guide/verify-release.md': 'Проверка выпуска',
    'docs/guide/settings.md': 'Настройки',
    'docs/guide/mail.md': 'Почта',
  },
  Люди: {
    'docs/guide/moving-in.md': 'Переезд',
    'docs/guide/moderation.md': 'Как вести стену',
    'docs/guide/privacy.md': 'Данные людей',
  },
  Работа: {
    'docs/guide/backup.md': 'Резервные копии',
    'docs/guide/upgrade.md': 'Обновление и возврат',
    'docs/guide/monitoring.md': 'Наблюдение',
    'docs/guide/troubleshooting.md': 'Если что-то не работает',
  },
  Рост: {
    'docs/guide/postgres.md': 'PostgreSQL и процессы',
    'docs/guide/postgres-upgrade.md': 'Новая версия PostgreSQL',
    'docs/guide/cluster.md': 'Кластер из трёх машин',
  },
  'Подробно (по-английски)': {
    'docs/reliability.md': 'Надёжность',
    'docs/performance.md': 'Скорость',
    'docs/scale.md': 'Пределы роста',
    'CHANGELOG.md': 'Изменения',
    'SECURITY.md': 'Уязвимости',
    'README.en.md': 'README in English',
  },
};
const files = new Set(Object.values(subjects).flatMap((pages) => Object.keys(pages)));
const linkOf = (file) => (file === 'README.md' ? '/' : `/${file.slice(0, -'.md'.length)}`);
const sidebar = Object.entries(subjects).map(([text, pages]) => ({
  text,
  items: Object.entries(pages).map(([file, name]) => ({ text: name, link: linkOf(file) })),
}));

// Modules are looked for in the folders above a page, so the pages are copied to the folder of the generator.
rmSync('pages', { recursive: true, force: true });
for (const file of [...files, 'docs/wall.png', 'docs/figures'])
  cpSync(`../../${file}`, `pages/${file === 'README.md' ? 'index.md' : file}`, { recursive: true });

/** Links to files that are no pages become plain text. */
function adaptLinks({ tokens, env }) {
  for (const { children } of tokens) {
    let isPlain = false;
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const [path, hash] = token.attrGet('href').split('#');
        const target = posix.join(posix.dirname(env.relativePath), path);
        isPlain = path !== '' && !path.includes(':') && !files.has(target);
        if (target === 'README.md') token.attrSet('href', hash === undefined ? '/' : `/#${hash}`);
      }
      if (isPlain && token.type.startsWith('link_')) [token.tag, token.attrs] = ['span', null];
    }
  }
}

const searchTexts = {
  button: { buttonText: 'Поиск', buttonAriaLabel: 'Поиск' },
  modal: {
    displayDetails: 'Показать подробности',
    resetButtonTitle: 'Очистить',
    backButtonTitle: 'Закрыть',
    noResultsText: 'Ничего не нашлось:',
    footer: { selectText: 'открыть', navigateText: 'выбрать', closeText: 'закрыть' },
  },
};

export default defineConfig({
  lang: 'ru',
  title: 'Стена',
  srcDir: 'pages',
  outDir: '../../dist/docs',
  markdown: {
    // The ids that GitHub gives to headings, so that the same links work in both places.
    anchor: {
      slugify: (text) =>
        text
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: ({ core }) => core.ruler.push('adapt-links', adaptLinks),
  },
  themeConfig: {
    sidebar,
    outline: { label: 'На этой странице' },
    docFooter: { prev: 'Назад', next: 'Дальше' },
    darkModeSwitchLabel: 'Тема',
    lightModeSwitchTitle: 'Светлая тема',
    darkModeSwitchTitle: 'Тёмная тема',
    sidebarMenuLabel: 'Страницы',
    returnToTopLabel: 'Наверх',
    skipToContentLabel: 'К тексту',
    notFound: { title: 'Страницы нет', quote: '', linkText: 'К началу', linkLabel: 'К началу' },
    search: { provider: 'local', options: { translations: searchTexts } },
  },
});
