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

export const pages: readonly SitePage[] = [
  { file: 'README.md', address: 'index.html', name: 'О программе', language: 'ru' },
  { file: 'README.en.md', address: 'english.html', name: 'In English', language: 'en' },
  { file: 'docs/guide/moderation.md', address: 'moderation.html', name: 'Как вести стену', language: 'ru' },
  { file: 'docs/guide/privacy.md', address: 'privacy.html', name: 'Данные людей', language: 'ru' },
  { file: 'docs/operations.md', address: 'operations.html', name: 'Установка и работа', language: 'en' },
  { file: 'docs/reliability.md', address: 'reliability.html', name: 'Надёжность', language: 'en' },
  { file: 'docs/performance.md', address: 'performance.html', name: 'Скорость', language: 'en' },
  { file: 'docs/scale.md', address: 'scale.html', name: 'Рост', language: 'en' },
];
