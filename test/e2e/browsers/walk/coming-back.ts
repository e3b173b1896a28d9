import { button, card, newest, postText, type WalkStep } from './walk.ts';

/** How many posts are written while the reader is away. */
const missed = 30;

/** As if the reader had been away for an hour. Without the introduction nothing is above the list. */
function passHour(): boolean {
  localStorage.setItem('intro-closed', '1');
  const visit = JSON.parse(localStorage.getItem('reading-visit')!);
  localStorage.setItem('reading-visit', JSON.stringify({ ...visit, at: visit.at - 3_600 }));
  return true;
}

/** Whether nothing covers the line, and the post below it begins 16 px below the header. */
function isLineBelowHeader(): boolean {
  const texts = [...document.querySelectorAll('main span')];
  const line = texts.find(({ textContent }) => textContent.replace(/\s/g, ' ') === 'Вы остановились здесь');
  const covered = document.querySelector('body header')!.getBoundingClientRect().bottom;
  const post = document.activeElement!.getBoundingClientRect();
  return line !== undefined && line.getBoundingClientRect().top >= covered && Math.abs(post.top - covered - 16) <= 1;
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
      await screen.ask('the line below the header', isLineBelowHeader);
      await screen.gone(button('К месту, где остановились…'));
    },
  },
];
