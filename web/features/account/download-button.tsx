import { exportAccount } from '#contract/account.ts';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useRequest } from '../session/use-request.ts';

interface DownloadButtonProps {
  username: string;
  variant: 'quiet' | 'plain';
}

/** Saves everything the signed-in person has on the wall as a file. */
export function DownloadButton({ username, variant }: DownloadButtonProps) {
  const { busy, error, send } = useRequest();
  const download = async () => {
    const everything = await call(exportAccount, {});
    saveFile(`stena-${username}.json`, JSON.stringify(everything, null, 2));
  };
  return (
    <>
      <Button variant={variant} busy={busy} onClick={() => void send(download)}>
        Скачать мои данные
      </Button>
      <FormError>{error}</FormError>
    </>
  );
}

/** Time for the browser to read the file before its address is revoked. */
const readWithinMs = 60_000;

function saveFile(name: string, json: string): void {
  const address = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), readWithinMs);
}
