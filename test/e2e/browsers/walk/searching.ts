import { card, field, heading, link, main, type WalkStep } from './walk.ts';

const query = field(main);
const hasFocus = () => document.activeElement?.localName === 'input';
const isQuery = (text: string) => document.querySelector<HTMLInputElement>('[type=search]')?.value === text;

/** The search. */
export const searching: readonly WalkStep[] = [
  {
    name: 'the search finds posts, and Back returns to its results',
    async run({ screen, seed, posts, author }) {
      await seed.replies(posts[0]!, [{ by: author, text: 'Пекарня за углом, #хлеб' }]);
      await screen.open('/');
      await screen.click({ role: 'link', name: 'Поиск' });
      await screen.path('/search');
      await screen.ask('the focus in the field', hasFocus);
      await screen.fill(query, 'пекарня');
      await screen.press('Enter');
      await screen.title('пекарня: поиск - Стена');
      await screen.see(card('Пекарня за углом'));
      await screen.ask('the match', () => document.querySelector('mark')?.textContent === 'Пекарня');
      await screen.click(link('#хлеб', card('Пекарня за углом')));
      await screen.title('#хлеб: поиск - Стена');
      await screen.ask('the query', isQuery, '#хлеб');
      await screen.driver.back();
      await screen.ask('the query before', isQuery, 'пекарня');
      await screen.see(card('Пекарня за углом'));
    },
  },
  {
    name: 'a query in the wrong keyboard layout is offered corrected',
    async run({ screen }) {
      await screen.open('/');
      await screen.driver.type('/');
      await screen.path('/search');
      await screen.ask('the focus in the field', hasFocus);
      await screen.driver.type('gtrfhyz');
      await screen.press('Enter');
      await screen.see(heading('Ничего не нашлось'));
      await screen.click(link('Искать «пекарня»'));
      await screen.see(card('Пекарня за углом'));
      await screen.ask('the corrected query', isQuery, 'пекарня');
    },
  },
  {
    name: 'without a match there are hints, and an invalid date is explained',
    async run({ screen }) {
      await screen.open('/search?q=кондитерская');
      await screen.see(heading('Ничего не нашлось'));
      await screen.see({ role: 'region', name: 'Как искать', text: '"точная фраза"' });
      await screen.fill(query, 'хлеб с:2026-02-31');
      await screen.press('Enter');
      await screen.see({ role: 'main', text: 'Такой даты нет: 2026-02-31' });
    },
  },
];
