/** A page of the documentation site. */
export interface SitePage {
  /** The Markdown file, from the root of the project. */
  file: string;
  /** The file of the site. */
  address: string;
  /** In the list of pages. */
  name: string;
  language: 'ru' | 'en';
}

/** Pages about one subject, in the order of reading. */
export interface Subject {
  name: string;
  pages: readonly SitePage[];
}

/** ARCHITECTURE, CONTRIBUTING and the decisions are for people who have the sources before them. */
export const subjects: readonly Subject[] = [
  {
    name: 'Начало',
    pages: [
      { file: 'README.md', address: 'index.html', name: 'О программе', language: 'ru' },
      guide('install', 'Установка'),
      guide('settings', 'Настройки'),
      guide('mail', 'Почта'),
    ],
  },
  { name: 'Люди', pages: [guide('moderation', 'Как вести стену'), guide('privacy', 'Данные людей')] },
  {
    name: 'Работа',
    pages: [
      guide('backup', 'Резервные копии'),
      guide('upgrade', 'Обновление и возврат'),
      guide('monitoring', 'Наблюдение'),
      guide('troubleshooting', 'Если что-то не работает'),
    ],
  },
  {
    name: 'Рост',
    pages: [
      guide('postgres', 'PostgreSQL и процессы'),
      guide('postgres-upgrade', 'Новая версия PostgreSQL'),
      guide('cluster', 'Кластер из трёх машин'),
    ],
  },
  {
    name: 'О программе подробно',
    pages: [
      english('docs/reliability.md', 'Надёжность'),
      english('docs/performance.md', 'Скорость'),
      english('docs/scale.md', 'Пределы роста'),
      english('CHANGELOG.md', 'Изменения'),
      english('SECURITY.md', 'Уязвимости'),
      { file: 'README.en.md', address: 'english.html', name: 'README in English', language: 'en' },
    ],
  },
];

export const pages: readonly SitePage[] = subjects.flatMap((subject) => subject.pages);

function guide(name: string, title: string): SitePage {
  return { file: `docs/guide/${name}.md`, address: `${name}.html`, name: title, language: 'ru' };
}

function english(file: string, name: string): SitePage {
  return { file, address: `${file.replace(/^.*\/|\.md$/g, '').toLowerCase()}.html`, name, language: 'en' };
}
