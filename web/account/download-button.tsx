import { exportAccount } from '#contract/account.ts';
import { call } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { saveFile } from './save-file.ts';
import { useTask } from './use-task.ts';

interface DownloadButtonProps {
  username: string;
  variant: 'quiet' | 'plain';
}

/** Everything of one's own on the wall, as a file. */
export function DownloadButton({ username, variant }: DownloadButtonProps) {
  const { busy, error, run } = useTask(async () => {
    const everything = await call(exportAccount, {});
    saveFile(`stena-${username}.json`, JSON.stringify(everything, null, 2));
  });
  return (
    <>
      <Button variant={variant} busy={busy} onClick={() => void run()}>
        Скачать мои данные
      </Button>
      <FormError>{error}</FormError>
    </>
  );
}
