const field = document.querySelector('#query');
const found = document.querySelector('.found');
const limit = 20;
const around = 80;

const fold = (text) => text.toLowerCase().replaceAll('ё', 'е');

/** The beginning that most forms of a word share. */
const stem = (word) => (word.length > 5 ? word.slice(0, -2) : word);

/** Where a word with this beginning stands; -1: nowhere. */
function position(text, beginning) {
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return at;
  }
  return -1;
}

function search(query) {
  const stems = fold(query)
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
    .map(stem);
  if (stems.length === 0) return [];
  return sections
    .map((section) => {
      const heading = fold(section.heading);
      const text = fold(section.text);
      const inHeading = stems.filter((word) => position(heading, word) >= 0).length;
      const places = stems.map((word) => position(text, word));
      const all = stems.every((word, n) => places[n] >= 0 || position(heading, word) >= 0);
      const first = Math.min(...places.filter((place) => place >= 0), section.text.length);
      return { section, all, inHeading, first };
    })
    .filter(({ all }) => all)
    .toSorted((a, b) => b.inHeading - a.inHeading)
    .slice(0, limit);
}

function item({ section, first }) {
  const link = document.createElement('a');
  link.href = section.address;
  link.textContent = section.heading;
  const page = document.createElement('small');
  page.textContent = section.page;
  const excerpt = document.createElement('p');
  const from = Math.max(0, first - around);
  const cut = section.text.slice(from, first + around);
  excerpt.textContent = `${from > 0 ? '…' : ''}${cut}${first + around < section.text.length ? '…' : ''}`;
  const entry = document.createElement('li');
  entry.append(link, ' ', page, excerpt);
  return entry;
}

function show() {
  const query = field.value.trim();
  found.hidden = query === '';
  if (query === '') return found.replaceChildren();
  const results = search(query);
  if (results.length === 0) {
    found.textContent = `По запросу «${query}» ничего не нашлось. Попробуйте другое слово.`;
    return undefined;
  }
  const list = document.createElement('ol');
  list.append(...results.map(item));
  return found.replaceChildren(list);
}

field.addEventListener('input', show);
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
// A result on the page that is open closes the list.
found.addEventListener('click', (event) => {
  if (!event.target.closest('a')) return;
  field.value = '';
  show();
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && field.value !== '') {
    field.value = '';
    show();
  }
  if (event.key !== '/' || event.target === field || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  field.focus();
});
