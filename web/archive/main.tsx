import { createRoot } from 'react-dom/client';
import { addresses } from '#contract/addresses.ts';
import { type CarriedWall, carriedWallId } from '#contract/carried.ts';
import { setServerTime } from '../lib/server-clock.ts';
import '../theme/global.css';
import { ArchiveApp } from './archive-app.tsx';
import { placeOf } from './places.ts';
import { Archive } from './read-carried.ts';

const wall = JSON.parse(document.getElementById(carriedWallId)!.textContent) as CarriedWall;
const root = document.getElementById('root')!;

// Dates of the year in which the file was made have no year.
setServerTime(wall.at);

const light = matchMedia('(prefers-color-scheme: light)');
const showTheme = () => {
  document.documentElement.dataset['theme'] = light.matches ? 'light' : 'dark';
};
showTheme();
light.addEventListener('change', showTheme);

const archive = new Archive();

/** The place in the archive to which a path of the wall leads, or else its address on the wall. */
function leadTo(path: string): string {
  const { pathname, searchParams } = new URL(path, wall.address);
  const asked = addresses.user.match(pathname)?.username.toLowerCase();
  const person =
    asked !== undefined && [...archive.people.values()].find(({ username }) => username.toLowerCase() === asked);
  if (person) return placeOf.person(person.id);
  const query = pathname === addresses.search.path && searchParams.get('q');
  return query ? placeOf.search(query) : wall.address + path;
}

// Texts have links to paths of the wall. The browser follows a link after these events.
for (const type of ['click', 'auxclick', 'contextmenu']) {
  root.addEventListener(
    type,
    ({ target }) => {
      const link = target instanceof Element && target.closest('a[href^="/"]');
      if (link) link.setAttribute('href', leadTo(link.getAttribute('href')!));
    },
    true,
  );
}

if ('DecompressionStream' in window) createRoot(root).render(<ArchiveApp archive={archive} wall={wall} />);
else root.textContent = 'Этот браузер слишком старый, чтобы открыть архив. Откройте файл в другом браузере.';
