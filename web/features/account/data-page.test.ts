import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press } from '../../../test/kit/screen/account.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';

const calls = /\/users\/current\/data/;

test('the settings lead to everything that is kept, with numbers, dates and terms', async () => {
  await using page = await openOwnPage('/settings');
  const { screen } = page;
  await screen.click(await screen.main().findByRole('link', { name: 'Мои данные' }));
  const section = await screen.main().findByRole('region', { name: 'Вход и защита' });
  const sessions = queriesIn(section).getByText('Сеансы').parentElement!;
  assert.match(textOf(sessions), /^Сеансы\s*1\s*браузер, система[^]*Хранится: 90 дней без посещений/);
  const counters = queriesIn(screen.main().getByRole('region', { name: 'Что стирается само' }));
  assert.match(textOf(counters.getByText('Счётчики запросов').parentElement), /^Счётчики запросов\s*сколько раз/);
  screen.main().getByRole('button', { name: 'Скачать мои данные' });
});

test('a failure to load them is shown, and the page can be loaded again', async () => {
  await using page = await openOwnPage('/settings');
  const { screen } = page;
  const recover = screen.network.intercept(calls, () => Promise.reject(new TypeError()));
  await screen.click(await screen.main().findByRole('link', { name: 'Мои данные' }));
  await screen.findByRole('heading', { name: 'Не удалось загрузить' });
  recover();
  await press(screen, 'Повторить');
  await screen.main().findByRole('region', { name: 'Учётная запись' });
});
