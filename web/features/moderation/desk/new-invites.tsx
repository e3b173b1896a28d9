import { useEffect, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { useClientSettings } from '../../../lib/client-settings.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import desk from './desk.module.css';
import styles from './invites.module.css';
import { InviteSheet } from './invite-sheet.tsx';

/** The links just made. A single one has a QR code and a sheet to print. */
export function NewInvites({ codes }: { codes: readonly string[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const { appName, publicUrl } = useClientSettings();
  const links = codes.map((code) => publicUrl + addresses.join.href({ code }));
  const [link = ''] = links;
  useEffect(() => button.current?.focus(), [codes]);

  const copy = async () => {
    showToast((await copyText(links.join('\n'))) ? 'Скопировано' : 'Не удалось скопировать. Выделите ссылку сами.');
  };
  // The dialog of the system was closed: the person does not want to share.
  const share = () => void navigator.share({ title: appName, url: link }).catch(() => {});
  return (
    <section className={styles.codes} aria-label="Новые приглашения">
      <p>Скопируйте сейчас: больше {links.length === 1 ? 'она не покажется' : 'они не покажутся'}.</p>
      <ul className={desk.list}>
        {links.map((each) => (
          <li key={each} className={styles.link}>
            {each}
          </li>
        ))}
      </ul>
      <div className={desk.buttons}>
        <Button ref={button} onClick={() => void copy()}>
          {links.length === 1 ? 'Скопировать' : 'Скопировать все'}
        </Button>
        {links.length === 1 && 'share' in navigator && <Button onClick={share}>Поделиться</Button>}
        {links.length === 1 && <Button onClick={() => print()}>Напечатать объявление</Button>}
      </div>
      {links.length === 1 && <InviteSheet link={link} />}
    </section>
  );
}
