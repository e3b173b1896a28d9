import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usernameProblem } from '#contract/username-problem.ts';
import { isGeneratedUsername } from '#contract/username.ts';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, register } from '../../../test/kit/member.ts';
import { signedIn } from '../../../test/kit/signed-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { newUsername } from '../sign-in/sign-in-rules.ts';
import { isReserved } from './keeper-names.ts';
import { renameUser } from './account-store.ts';

const day = 24 * 3_600;
/** Keeps tests signed in that move the clock by days. */
const patient = { ACCESS_TOKEN_SECONDS: String(60 * day) };
const check = (member: Pick<Member, 'send'>, name: string) =>
  member.send('GET', `/users/${encodeURIComponent(name)}/validation`);
const rename = (member: Member, username: string) => member.send('PATCH', '/users/current/profile', { username });
const taken = [400, 'USERNAME_ALREADY_EXISTS'];

const [short, long, unfit] = [
  'Имя пользователя должно быть не меньше 5 символов',
  'Имя пользователя должно быть не большое 32 символов',
  'Введите корректное имя пользователя',
];
const refusedNames: ReadonlyArray<[message: string, names: readonly string[]]> = [
  ['Введите имя пользователя', ['']],
  [short, ['anna', 'аня']],
  [long, [`a${'b'.repeat(32)}`, 'ю'.repeat(300)]],
  // One has the Kelvin sign, whose lower case is an ASCII letter.
  [unfit, ['anna petrova', 'анна_петрова', 'anna-petrova', 'anna_\u212aova', 'anna_petrova\n']],
];

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Words for the wall and those who keep it, also with look-alikes and repeated letters, and generated names. */
const misleading = words(`
  admin Moderator support a_d_m_i_n 4dmin_anna 5upport m0d3rat0r 4dm1n khozyain_doma komanda komanda_steny Admin_1 __stena__ stena_admin support_stena administratova
  the_real_moderator_77 stena_2026 vasya_operator techsupport Adm1n_anna adrnin_anna AdMlN_anna supp0rt_team m0derat0r
  offlcial_news vvall_team vvebmaster modderator addmin_anna suupport root_wall help_desk abuse_team teamwall7
  noreply no_reply redakciya redaktsiya Redaktor_1 administraciya administratsiya moderaciya_1 podderzhka sluzhba_poderjki
  sistema Sistema_1 mod_1 m0d_team modteam anna_mod upravlenie_doma verified_anna avtor_skryt zapis_udalena Nash_Dvor nashdvor_1 sapport my_sapport sysop tehsluzhba user_ab12cd34 User_20262027`);

const ordinary = words(`
  nastena_92 badminton vlad_minin vladminin operetta comer_corner stepan anna_1 allison moderna savva_77 stafeev fed_1977 wai_wai
  wallace teammate rootbeer redkina poddubny users username user_1 user_2026 user_anna guest guest_77 first_user sistemnik sapporo
  sapozhnik sportsmen posts settings liked null_ current suggestions replies feed_77 komandor anna_1984 katya_345 good_mood modest_p model_77 nash_dvornik avtor_skryta`);

const [firstName, secondName] = ['anna_first', 'anna_second'];

/** A person who has changed the name twice. */
async function renamed(wall: Wall): Promise<Member> {
  const anna = await register(wall);
  for (const name of [firstName, secondName]) assert.deepEqual(await outcome(rename(anna, name)), [200], name);
  return anna;
}

async function leadsTo(wall: Wall, path: string): Promise<unknown> {
  const { status, headers } = await wall.get(path);
  return status === 302 ? headers['location'] : status;
}

const onWall = onWalls({}, 'a username');
const onWallOfMonths = onWalls(patient, 'a username');

onWall('is refused with the reason when it is invalid, by check and change', async (wall) => {
  const anna = await register(wall);
  for (const [message, names] of refusedNames) {
    for (const name of names) {
      for (const refused of [...(name === '' ? [] : [await check(anna, name)]), await rename(anna, name)]) {
        assert.deepEqual([refused.statusCode, refused.json()], [400, { code: 'INVALID_USERNAME', message }], name);
      }
    }
  }
  assert.equal((await anna.send('GET', '/users/current')).json().username, anna.username);
});

onWall('is taken when it misleads, and free when it only looks like an address', async (wall) => {
  const anna = await register(wall);
  const body = { code: taken[1], message: 'Это имя похоже на служебное. Выберите другое.' };
  for (const name of ['stena_admin', '4dmin_anna', 'User_20262027']) {
    for (const refused of [await check(anna, name), await rename(anna, name)]) {
      assert.deepEqual([refused.statusCode, refused.json()], [400, body], name);
    }
  }
  for (const name of ['nastena_92', 'posts', 'settings', 'liked', 'null_']) {
    assert.deepEqual(await outcome(check(anna, name)), [200], name);
  }
  assert.deepEqual(await outcome(rename(anna, 'posts')), [200]);
  assert.match((await wall.get('/users/posts')).text, /posts/);

  // A reserved name that somebody has is taken like any other name.
  const boris = await register(wall);
  await wall.db.tx((tx) => renameUser(tx, Number(anna.id), 'stena_admin'));
  const inUse = { code: taken[1], message: 'Это имя уже занято.' };
  for (const name of ['stena_admin', 'Stena_Admin']) {
    for (const refused of [await check(boris, name), await rename(boris, name)]) {
      assert.deepEqual([refused.statusCode, refused.json()], [400, inUse], name);
    }
  }
});

onWall('stays with its owner when it became reserved later', async (wall) => {
  const anna = await register(wall);
  await wall.db.tx((tx) => renameUser(tx, Number(anna.id), 'anna_admin'));
  for (const name of ['anna_admin', 'Anna_Admin']) {
    assert.deepEqual(await outcome(check(anna, name)), [200]);
    assert.deepEqual(await outcome(rename(anna, name)), [200]);
  }
});

onWall('belongs to one person in any case, and is available to that person', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  assert.deepEqual((await check(anna, 'Anna_Petrova')).json(), { available: true });
  const user = {
    id: anna.id,
    username: 'Anna_Petrova',
    display_name: null,
    face: null,
    about: null,
    email: anna.email,
  };
  assert.deepEqual((await rename(anna, 'Anna_Petrova')).json(), user);
  for (const name of ['Anna_Petrova', 'anna_petrova', 'ANNA_PETROVA']) {
    for (const refused of [await check(boris, name), await rename(boris, name)]) {
      const body = { code: 'USERNAME_ALREADY_EXISTS', message: 'Это имя уже занято.' };
      assert.deepEqual([refused.statusCode, refused.json()], [400, body]);
    }
    assert.deepEqual([await outcome(check(anna, name)), await outcome(rename(anna, name))], [[200], [200]]);
  }
});

onWall('is told to be taken at most sixty times a minute, by checks and changes together', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  await rename(anna, 'anna_petrova');
  for (let i = 0; i < 30; i += 1) {
    assert.deepEqual(await outcome(check(boris, 'anna_petrova')), taken);
    assert.deepEqual(await outcome(rename(boris, 'anna_petrova')), taken);
  }
  for (const name of ['anna_petrova', 'boris_petrov']) {
    const refused = await rename(boris, name);
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '60']);
  }
  wall.clock.now += 60;
  assert.deepEqual(await outcome(rename(boris, 'boris_petrov')), [200]);
});

onWall('goes to one of a hundred people who claim it at once, in any case', async (wall) => {
  const name = 'anna_petrova';
  const variant = (i: number): string =>
    [...name].map((letter, at) => ((i >> (at % 7)) & 1 ? letter.toUpperCase() : letter)).join('');
  const tokens: string[] = [];
  for (let i = 0; i < 100; i += 1) tokens.push((await signedIn(wall.db, await wall.person(`person_${i}`))).token);
  const claim = (token: string, i: number) => {
    const headers = { authorization: `Bearer ${token}`, 'sec-fetch-site': 'same-origin' };
    const payload = { username: variant(i) };
    return outcome(wall.app.inject({ method: 'PATCH', url: '/api/v1/users/current/profile', headers, payload }));
  };
  const responses = await Promise.all(tokens.map(claim));
  assert.equal(responses.filter(([status]) => status === 200).length, 1);
  assert.equal(responses.filter(([, code]) => code === 'USERNAME_ALREADY_EXISTS').length, 99);
});

onWallOfMonths('changes exactly ten times a day, besides the first choice of a name', async (wall) => {
  const anna = await register(wall);
  const burst = (prefix: string) =>
    Promise.all(Array.from({ length: 15 }, (_, i) => outcome(rename(anna, `${prefix}_${i}`))));
  const changed = (outcomes: Array<[number, string?]>) => outcomes.filter(([status]) => status === 200).length;
  assert.equal(changed(await burst('first')), 11, 'the first choice and ten changes');
  const refused = await rename(anna, 'anna_petrova');
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, String(day)]);
  assert.match(refused.json().message, /десять раз в день/);

  const { username } = (await anna.send('GET', '/users/current')).json();
  assert.deepEqual(await outcome(rename(anna, username)), [200], 'the same name is no change');
  wall.clock.now += day;
  for (const name of ['anna_ivanova', 'anna_petrova', 'anna_sidorova']) {
    assert.deepEqual(await outcome(rename(anna, name)), [200], name);
  }
  assert.equal(changed(await burst('later')), 7);
});

for (const engine of engines) {
  test(`a username spends no budget of changes when it is refused, nor with RATE_LIMITS=off on ${engine}`, async (t) => {
    const [wall, open] = [await openWall(engine, patient), await openWall(engine, { RATE_LIMITS: 'off' })];
    t.after(() => Promise.all([wall.close(), open.close()]));
    const [anna, boris] = [await renamed(wall), await register(wall)];
    for (let i = 0; i < 5; i += 1) assert.equal((await rename(boris, secondName)).statusCode, 400);
    for (let i = 0; i < 11; i += 1) assert.deepEqual(await outcome(rename(boris, `boris_${i}`)), [200]);
    assert.deepEqual(await outcome(rename(boris, 'boris_11')), [429, 'TOO_MANY_REQUESTS']);
    assert.equal((await anna.send('GET', '/users/current')).json().username, secondName);

    const clara = await register(open);
    for (let i = 0; i < 12; i += 1) assert.deepEqual(await outcome(rename(clara, `clara_${i}`)), [200]);
  });
}

onWallOfMonths('that was left is reserved for 30 days; its owner may take it back', async (wall) => {
  const [anna, boris] = [await renamed(wall), await register(wall)];
  const claims = () => Promise.all([outcome(check(boris, 'Anna_First')), outcome(rename(boris, 'Anna_First'))]);
  assert.deepEqual(await claims(), [taken, taken]);
  assert.deepEqual(await outcome(check(anna, firstName)), [200]);
  assert.deepEqual(await outcome(rename(anna, firstName)), [200]);
  assert.deepEqual(await outcome(rename(anna, secondName)), [200]);
  wall.clock.now += 30 * day - 1;
  assert.deepEqual(await claims(), [taken, taken]);
  wall.clock.now += 1;
  assert.deepEqual(await claims(), [[200], [200]]);
  assert.deepEqual(await outcome(rename(boris, 'boris_petrov')), [200]);
  assert.deepEqual(await outcome(rename(anna, firstName)), taken, 'the name belongs to the other person');
});

onWalls({ RATE_LIMITS: 'off' })(
  'a username is refused to somebody who claims it while it is being left',
  async (wall) => {
    const [anna, boris] = [await register(wall), await register(wall)];
    for (let i = 0; i < 40; i += 1) {
      await rename(anna, `anna_left_${i}`);
      const [left, claimed] = await Promise.all([
        outcome(rename(anna, `anna_took_${i}`)),
        outcome(rename(boris, `anna_left_${i}`)),
      ]);
      assert.deepEqual([left, claimed], [[200], taken]);
    }
  },
);

onWallOfMonths('that was left redirects to the person for 30 days or until somebody has it', async (wall) => {
  const anna = await renamed(wall);
  for (const name of [anna.username, firstName, 'ANNA_FIRST']) {
    assert.equal(await leadsTo(wall, `/users/${name}`), `/users/${secondName}`);
    assert.equal(await leadsTo(wall, `/users/${name}?cursor=a%26b`), `/users/${secondName}?cursor=a%26b`);
    assert.equal(await leadsTo(wall, `/users/${name}/replies`), `/users/${secondName}/replies`);
    assert.equal(await leadsTo(wall, `/users/${name}/feed.xml`), `/users/${secondName}/feed.xml`);
    const { status, json } = await wall.get(`/api/v1/users/${name}`);
    assert.deepEqual([status, json.id, json.username], [200, anna.id, secondName]);
  }
  assert.equal((await wall.get(`/users/${secondName}`)).status, 200);
  wall.clock.now += 30 * day;
  for (const prefix of ['/api/v1/users', '/users']) {
    assert.equal((await wall.get(`${prefix}/${firstName}`)).status, 404);
  }
  const boris = await register(wall);
  await rename(boris, firstName);
  assert.equal((await wall.get(`/api/v1/users/${firstName}`)).json.id, boris.id);
});

onWallOfMonths('of a deleted account redirects nowhere, and stays taken for ever, in any case', async (wall) => {
  const anna = await renamed(wall);
  wall.clock.now += 61;
  await deleteAccount(wall, anna);
  for (const path of ['/api/v1/users', '/users']) {
    for (const name of [firstName, secondName]) assert.equal((await wall.get(`${path}/${name}`)).status, 404);
  }
  assert.equal((await wall.get(`/users/${firstName}/feed.xml`)).status, 404);
  const boris = await register(wall);
  for (const name of [firstName, secondName, 'Anna_Second']) {
    assert.deepEqual([await outcome(check(boris, name)), await outcome(rename(boris, name))], [taken, taken], name);
  }
});

test('a name that resembles a word for those who keep the wall is reserved, one with a part of it is not', () => {
  const isReservedHere = (name: string): boolean => isReserved(name, ['Стена', 'Наш двор']);
  assert.deepEqual(
    misleading.filter((name) => !isReservedHere(name)),
    [],
  );
  assert.deepEqual(ordinary.filter(isReservedHere), []);
});

test('a generated name is valid and recognized as generated, a chosen one is not', () => {
  for (let turn = 0; turn < 100; turn += 1) {
    const name = newUsername();
    assert.deepEqual([usernameProblem(name), isGeneratedUsername(name)], [null, true], name);
  }
  const chosen = ['user_1', 'User_ab12cd34', 'user_ab12cd345', 'user_AB12CD34', 'my_user_ab12cd34'];
  assert.deepEqual(chosen.filter(isGeneratedUsername), []);
});

onWalls({ RATE_LIMITS: 'off' })('a name gives the username while it is still the generated one', async (wall) => {
  const named = async (display_name: string, more = {}): Promise<string> => {
    const member = await register(wall);
    const response = await member.send('PATCH', '/users/current/profile', { display_name, ...more });
    assert.equal(response.statusCode, 200, response.body);
    return response.json().username;
  };
  assert.equal(await named('Вера Павловна'), 'vera_pavlovna');
  assert.equal(await named('вера  ПАВЛОВНА'), 'vera_pavlovna_2');
  assert.equal(await named('Аня'), 'anya_1', 'too short without a number');
  assert.equal(await named('Аня'), 'anya_2');
  assert.equal(await named('Щукин-Эйхенгольц Константин Юрье'), 'schukin_eyhengolts_konstantin');
  for (const name of ['🙂🙂🙂', '王小明', 'Админ', 'Модератор стены']) {
    const member = await register(wall);
    const { statusCode, ...rest } = await member.send('PATCH', '/users/current/profile', { display_name: name });
    if (statusCode === 200) assert.equal(rest.json().username, member.username, name);
  }
  assert.equal(await named('Вера', { username: 'vera_1984' }), 'vera_1984');

  const anna = await register(wall);
  await anna.send('PATCH', '/users/current/profile', { face: '🦊' });
  assert.equal((await anna.send('GET', '/users/current')).json().username, anna.username, 'nobody without a name');
  await anna.send('PATCH', '/users/current/profile', { display_name: 'Анна Петровна' });
  await anna.send('PATCH', '/users/current/profile', { display_name: 'Анна Ивановна' });
  assert.equal((await anna.send('GET', '/users/current')).json().username, 'anna_petrovna', 'it is theirs now');
  assert.equal((await wall.get(`/api/v1/users/${anna.username}`)).json.username, 'anna_petrovna');
});
