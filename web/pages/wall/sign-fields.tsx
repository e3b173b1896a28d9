import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type ClientSettings, type FormFields, unnamedWall } from '#contract/page-data.ts';
import { normalizeWallLine, normalizeWallMark, normalizeWallName } from '#contract/wall-setting-rules.ts';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { wallMarks } from '../../forms/emoji-choices.ts';
import { EmojiField, emojiIn } from '../../forms/emoji-field.tsx';
import { Field } from '../../forms/fields.tsx';
import { judgeLine } from '../../forms/judge-line.ts';
import { ClientSettingsProvider, useChangeSettings, useClientSettings } from '../../lib/client-settings.ts';
import { tabIcons } from '../../lib/wall-icons.ts';
import brick from '../sign.module.css';
import { SignLine } from '../sign.tsx';
import { useStoredPictures } from './pictures.ts';
import styles from './wall-admin.module.css';

/** Applies changed settings in this tab, which was loaded with earlier ones: every page and the tab icon show the name, line and mark. */
export function useOnEveryPage(settings: WallAdmin['settings'], pictures: boolean): void {
  useStoredPictures(settings, pictures);
  const { name, line, mark, contact } = settings;
  const shown = useClientSettings();
  const change = useChangeSettings();
  const show = useEffectEvent((shows: Pick<ClientSettings, 'appName' | 'line' | 'mark' | 'contact'>) => {
    if (shows.mark !== shown.mark) showTabIcons(shows);
    change(shows);
  });
  useEffect(
    () => show({ appName: name, line: line || undefined, mark: mark || undefined, contact }),
    [name, line, mark, contact],
  );
}

function showTabIcons(settings: Pick<ClientSettings, 'mark'>): void {
  const [first, ...others] = document.querySelectorAll('link[rel=icon]');
  const icons = tabIcons(settings).map((icon) => {
    const link = document.createElement('link');
    for (const [name, value] of Object.entries({ rel: 'icon', ...icon })) link.setAttribute(name, value);
    return link;
  });
  others.forEach((other) => other.remove());
  first!.replaceWith(...icons);
}

const judgeName = judgeLine(normalizeWallName);
const judgeOwnLine = judgeLine(normalizeWallLine);
const judgeMark = judgeLine(normalizeWallMark);

interface SignFieldsProps {
  values: FormFields;
  /** The fields are the first step of a new wall: the field for the name takes the focus, and the usual name counts as none. */
  isFirst?: boolean;
}

/** The name, the line and the mark of the wall, below a picture of its sign that follows what is typed. */
export function SignFields({ values: { name = '', line = '', mark = '' }, isFirst = false }: SignFieldsProps) {
  const settings = useClientSettings();
  const [sign, setSign] = useState({ appName: name, line, mark });
  const fields = useRef<HTMLDivElement>(null);
  const look = () => {
    const typed = Object.fromEntries(new FormData(fields.current!.closest('form')!)) as FormFields;
    setSign({ appName: typed['name'] ?? '', line: typed['line'] ?? '', mark: emojiIn(typed, 'mark') });
  };
  // Shows input that was typed before the script arrived.
  useLayoutEffect(look, []);
  const shown = {
    ...settings,
    appName: sign.appName.trim() || unnamedWall,
    line: sign.line.trim() || undefined,
    mark: judgeMark(sign.mark).isGood && sign.mark.trim() !== '' ? sign.mark.trim() : undefined,
  };
  return (
    <div ref={fields} className={styles.fields} onInput={look}>
      <figure className={styles.picture}>
        <ClientSettingsProvider value={shown}>
          <div className={brick.bricks}>
            <SignLine />
          </div>
        </ClientSettingsProvider>
        <figcaption className={styles.quiet}>Так стену увидят люди и чаты</figcaption>
      </figure>
      <Field
        name="name"
        label="Как называется"
        value={isFirst && name === unnamedWall ? '' : name}
        takesFocus={isFirst}
        autoComplete="off"
        check={(typed) => (isFirst && typed === '' ? { isGood: false } : judgeName(typed))}
      />
      <Field
        name="line"
        label="Для кого и о чём, одной строкой"
        value={line}
        autoComplete="off"
        note="Её увидят новые люди и поисковики."
        check={judgeOwnLine}
      />
      <EmojiField name="mark" legend="Значок стены" value={mark} choices={wallMarks} note="кирпичи" check={judgeMark} />
    </div>
  );
}
