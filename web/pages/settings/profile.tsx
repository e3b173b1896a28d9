import { addresses } from '#contract/addresses.ts';
import { normalizeFace } from '#contract/face.ts';
import { normalizeAbout } from '#contract/profile-text.ts';
import { usernameProblem, usernameTip } from '#contract/username-problem.ts';
import { changeProfile } from '../../features/account/change-profile.ts';
import { NameField } from '../../features/account/name-fields.tsx';
import { nameActs, nameIn } from '../../features/account/name-question.tsx';
import { EmojiField, emojiIn } from '../../forms/emoji-field.tsx';
import { Field, FormPage, type Judgement } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { judgeLine } from '../../forms/judge-line.ts';
import { type Act, formProblem, localPath, page, sayingOnly } from '../../forms/page-module.ts';
import { call } from '../../lib/api.ts';

/** The act of both pages, which changes a part of the profile. */
const change =
  (message: string, bodyOf: (fields: Readonly<Record<string, string>>) => Parameters<typeof changeProfile>[1]): Act =>
  async ({ call: callServer, query }, fields) => ({
    message,
    to: query.has('next') ? localPath(query.get('next')) : addresses.settings.href(),
    user: await changeProfile(callServer, bodyOf(fields)),
  });

const judgeFace = judgeLine(normalizeFace);
const judgeAbout = judgeLine(normalizeAbout);

/** The form for the name in any alphabet, the face, and one line about oneself. */
export const profile = page({
  View: ({ user, query }) => (
    <FormPage
      tip={
        <>
          Имя пишется любыми буквами. Для упоминаний и ссылки есть <bdi>@{user.username}</bdi>:{' '}
          <a href={addresses.settingsUsername.href()}>изменить имя пользователя</a>.
        </>
      }
    >
      <Form act="save" submit="Сохранить">
        <NameField user={user} label="Как вас называть" />
        <EmojiField name="face" legend="Значок" value={user.face ?? ''} note="первая буква имени" check={judgeFace} />
        <Field name="about" label="О себе" value={user.about ?? ''} check={judgeAbout} />
      </Form>
      {query.has('next') && <Form act="later" submit="Не сейчас" variant="plain" />}
    </FormPage>
  ),
  acts: {
    save: change('Сохранено', ({ about = '', ...fields }) => ({
      ...nameIn(fields),
      face: emojiIn(fields, 'face'),
      about,
    })),
    later: async (context) => ({
      to: localPath(context.query.get('next')),
      ...(await nameActs.nameLater(context)),
    }),
  },
});

const judgeUsername = (name: string, own: string): Judgement => {
  const problem = name === own ? null : usernameProblem(name);
  return problem === null ? { isGood: true } : { isGood: false, error: problem };
};

const remote = {
  ask: (username: string, signal: AbortSignal) =>
    call('GET /users/{username}/validation', { params: { username }, signal }),
  asking: 'Проверка имени пользователя...',
  good: 'Имя пользователя свободно',
};

export const username = page({
  View({ user }) {
    return (
      <FormPage
        title="Задать имя пользователя"
        tip={
          <>
            {usernameTip} <a href={addresses.settingsProfile.href()}>Как вас называть</a>
          </>
        }
      >
        <Form act="save" submit="Сохранить" errorAt="username">
          <Field
            name="username"
            label="Имя пользователя"
            value={user.username}
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            check={(typed) => judgeUsername(typed, user.username)}
            remote={{ ...remote, own: user.username }}
          />
        </Form>
      </FormPage>
    );
  },
  acts: {
    save: sayingOnly(
      [400],
      change('Имя изменено', (fields) => {
        const name = fields['username'] ?? '';
        const problem = usernameProblem(name);
        if (problem !== null) throw formProblem(problem);
        return { username: name };
      }),
    ),
  },
});
