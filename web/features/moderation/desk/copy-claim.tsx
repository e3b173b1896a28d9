import { copyText } from '../../../lib/copy-text.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';

/** Copies the link by which a person gets the imported account. */
export function CopyClaim({ url }: { url: string }) {
  const copy = async () => {
    if (await copyText(url)) showToast('Ссылка скопирована');
    else showToast('Не удалось скопировать. Ссылка есть на странице человека.');
  };
  return (
    <Button variant="plain" onClick={() => void copy()}>
      Скопировать ссылку
    </Button>
  );
}
