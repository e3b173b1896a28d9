import { useEffect, useRef } from 'react';
import type { NewApiToken } from '#contract/api-tokens.ts';
import { copyText } from '../../lib/copy-text.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import styles from './made-token.module.css';

/** A token that has just been made: the only time it can be seen. */
export function MadeToken({ made: { id, name, token } }: { made: NewApiToken }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [id]);

  const copy = async () => {
    showToast((await copyText(token)) ? 'Скопировано' : 'Не удалось скопировать. Выделите токен сами.');
  };
  return (
    <section className={styles.made} aria-label="Новый токен">
      <p>
        Токен «<bdi>{name}</bdi>» создан. Скопируйте его сейчас: больше он не покажется.
      </p>
      <code className={styles.token}>{token}</code>
      <Button ref={button} variant="primary" onClick={() => void copy()}>
        Скопировать токен
      </Button>
      <p className={styles.hint}>
        Программа передаёт его в заголовке <code>Authorization: Bearer</code> и сам токен через пробел.
      </p>
    </section>
  );
}
