import { button, card, newest, postText, type WalkStep } from './walk.ts';

/** How many posts are written while the reader is away. */
const missed = 12;

/** As if the reader had been away for an hour. */
function passHour(): boolean {
  const visit = JSON.parse(localStorage.getItem('reading-visit')!);
  localStorage.setItem('reading-visit', JSON.stringify({ ...visit, at: visit.at - 3_600 }));
  return true;
}

function isLineOnScreen(): boolean {
  const texts = [...document.querySelectorAll('main span')];
  const line = texts.find(({ textContent }) => textContent.replace(/\s/g, ' ') === 'Вы остановились здесь');
  const top = line?.getBoundingClientRect().top ?? -1;
  return top > 0 && top < innerHeight;
}

/** The place where a visitor stopped reading the feed. */
export const comingBack: readonly WalkStep[] = [
  {
    name: 'after a break a button and a line lead to where one stopped',
    async run(walk) {
      const { screen, seed, posts, author } = walk;
      const last = newest(walk);
      await screen.open('/');
      await screen.read('feed', posts.at(-1)!);
      const numbers = Array.from({ length: missed }, (_, index) => posts.length + index + 1);
      posts.push(...(await seed.posts(numbers.map((number) => ({ by: author, text: postText(number) })))));
      await screen.ask('an hour later', passHour);
      await screen.open('/');
      await screen.see(card(newest(walk)));
      await screen.click(button(`К месту, где остановились: ${missed}`));
      await screen.focused(last);
      await screen.ask('the line', isLineOnScreen);
      await screen.gone(button('К месту, где остановились…'));
    },
  },
];
