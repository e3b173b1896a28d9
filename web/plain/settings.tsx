import { Fragment } from 'react';
import { changeProfile, getKeptData } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { listMutes, unmute } from '#contract/mutes.ts';
import { getNotificationSettings, putNotificationSettings } from '#contract/notifications.ts';
import { closeCurrentSession, closeOtherSessions, closeSession, listSessions } from '#contract/sessions.ts';
import { usernameProblem, usernameTip } from '#contract/username-problem.ts';
import { keptNumber, keptSections, keptSpan } from '../features/account/kept-words.ts';
import { deviceName, lastActive, systemName } from '../features/devices/describe-session.ts';
import { letters } from '../features/notifications/letters.ts';
import { settingsPages } from '../pages/settings-pages.tsx';
import { PersonNames } from '../ui/person-names.tsx';
import { apiTokens } from './api-tokens.tsx';
import { Check, Choices, Field, Form } from './form.tsx';
import { invitations } from './invitations.tsx';
import { act, formProblem, plainPage } from './plain-page.ts';

const menu = plainPage({
  address: addresses.settings,
  access: 'user',
  async show({ user }) {
    const body = (
      <>
        <ul>
          <li>
            <a href={addresses.user.href(user!)}>Моя страница</a>
          </li>
          {settingsPages.map(({ address, link: { name, value } }) => (
            <li key={address.path}>
              <a href={address.href()}>{name}</a> {value && <bdi className="quiet">{value(user!)}</bdi>}
            </li>
          ))}
          {user!.role !== undefined && (
            <li>
              <a href={addresses.moderation.href()}>Модерация</a>
            </li>
          )}
          {user!.role === 'owner' && (
            <li>
              <a href={addresses.keep.href()}>Хозяйство</a>
            </li>
          )}
          <li>
            <a href={addresses.settingsExport.href()}>Скачать мои данные</a>
          </li>
        </ul>
        <Form act="sign-out" submit="Выйти" isQuiet />
      </>
    );
    return { heading: 'Настройки', body };
  },
  acts: {
    async 'sign-out'({ call }) {
      await call(closeCurrentSession, {});
      return { to: addresses.feed.href() };
    },
  },
});

const profile = plainPage({
  address: addresses.settingsProfile,
  access: 'user',
  async show({ user }) {
    const body = (
      <Form act="save" submit="Сохранить">
        <Field name="display_name" label="Имя" value={user!.display_name ?? ''} autoComplete="name" />
        <Field name="about" label="О себе" value={user!.about ?? ''} />
      </Form>
    );
    return { heading: 'Имя и о себе', body };
  },
  acts: {
    save: act('Сохранено', ({ call }, { display_name = '', about = '' }) =>
      call(changeProfile, { body: { display_name, about } }),
    ),
  },
});

const username = plainPage({
  address: addresses.settingsUsername,
  access: 'user',
  async show({ user }) {
    const body = (
      <Form act="save" submit="Сохранить">
        <Field
          name="username"
          label="Имя пользователя"
          value={user!.username}
          tip={usernameTip}
          autoComplete="username"
        />
      </Form>
    );
    return { heading: 'Имя пользователя', body };
  },
  acts: {
    save: act('Имя изменено', ({ call }, fields) => {
      const name = fields['username']?.trim() ?? '';
      const problem = usernameProblem(name);
      if (problem !== null) throw formProblem(problem);
      return call(changeProfile, { body: { username: name } });
    }),
  },
});

const devices = plainPage({
  address: addresses.settingsDevices,
  access: 'user',
  async show({ call, now }) {
    const { sessions } = await call(listSessions, {});
    const body = (
      <>
        <ul>
          {sessions.map(({ id, current, device, lastActiveAt }) => (
            <li key={id}>
              <bdi>{deviceName(device)}</bdi>, <bdi>{systemName(device.os)}</bdi>
              <span className="quiet"> {current ? 'Сейчас' : `Активность ${lastActive(lastActiveAt, now)}`}</span>
              {!current && <Form act="end" id={id} submit="Завершить сеанс" isQuiet />}
            </li>
          ))}
        </ul>
        {sessions.length > 1 && <Form act="end-others" submit="Завершить другие сеансы" isQuiet />}
      </>
    );
    return { heading: 'Устройства', body };
  },
  acts: {
    end: act('Сессия завершена', ({ call }, { id = '' }) => call(closeSession, { params: { id } })),
    'end-others': act('Сессии завершены', ({ call }) => call(closeOtherSessions, {})),
  },
});

const notificationSettings = plainPage({
  address: addresses.settingsNotifications,
  access: 'user',
  async show({ call }) {
    const { follow_replied: follows, digest } = await call(getNotificationSettings, {});
    const body = (
      <Form act="save" submit="Сохранить">
        <Check name="follow_replied" value="1" checked={follows}>
          Следить за обсуждениями, в которых я отвечаю
        </Check>
        <Choices name="digest" legend="Письмо о непрочитанном" choices={letters} chosen={digest} />
      </Form>
    );
    return { heading: 'Уведомления', body };
  },
  acts: {
    save: act('Сохранено', ({ call }, fields) => {
      const digest = letters.find(({ id }) => id === fields['digest'])?.id ?? 'off';
      return call(putNotificationSettings, { body: { follow_replied: 'follow_replied' in fields, digest } });
    }),
  },
});

const muted = plainPage({
  address: addresses.settingsMuted,
  access: 'user',
  async show({ call }) {
    const { users } = await call(listMutes, {});
    const body = (
      <>
        {users.length === 0 && <p>Вы показываете всех авторов</p>}
        <ul>
          {users.map(({ id, ...names }) => (
            <li key={id}>
              <a href={addresses.user.href(names)}>
                <PersonNames {...names} />
              </a>
              <Form act="unmute" id={id} submit="Показывать автора" isQuiet />
            </li>
          ))}
        </ul>
      </>
    );
    return { heading: 'Скрытые авторы', body };
  },
  acts: {
    unmute: act('Автор снова виден', ({ call }, { id = '' }) => call(unmute, { params: { id } })),
  },
});

const data = plainPage({
  address: addresses.settingsData,
  access: 'user',
  async show({ call }) {
    const { kept } = await call(getKeptData, {});
    const body = (
      <>
        <p>Это всё, что стена хранит о вас. В файле — то же самое, строка за строкой.</p>
        <p>
          <a href={addresses.settingsExport.href()}>Скачать мои данные</a>
        </p>
        {keptSections(kept).map(({ section, items }) => (
          <Fragment key={section}>
            <h2>{section}</h2>
            <ul>
              {items.map((item) => (
                <li key={item.title}>
                  {item.title}
                  {item.count !== null && `: ${keptNumber(item.count)}`}
                  {item.first_at !== null && `, ${keptSpan(item)}`}{' '}
                  <span className="quiet">
                    — {item.about}. Хранится: {item.kept_until}
                  </span>
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
      </>
    );
    return { heading: 'Мои данные', body };
  },
});

export const settings = [menu, profile, username, devices, notificationSettings, muted, invitations, data, apiTokens];
