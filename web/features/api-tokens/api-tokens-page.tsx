import { useEffect, useRef, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { NewApiToken, ApiToken } from '#contract/api-tokens.ts';
import type { CurrentUser } from '#contract/account.ts';
import { FailedNotice } from '../../ui/notice.tsx';
import page from '../../ui/list-page.module.css';
import { GroupsSkeleton } from '../../ui/groups-skeleton.tsx';
import { EndDialog } from './end-dialog.tsx';
import { MadeToken } from './made-token.tsx';
import { NewTokenForm } from './new-token-form.tsx';
import { TokenRow } from './token-row.tsx';
import { useTokens } from './use-tokens.ts';

/** The person's API tokens, and the form that makes one. */
export function ApiTokensPage({ user }: { user: CurrentUser }) {
  const { state, retry, add, end } = useTokens();
  const [made, setMade] = useState<NewApiToken | null>(null);
  const [chosen, setChosen] = useState<ApiToken | null>(null);
  const [endings, setEndings] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    // The element with the focus has been removed.
    if (endings > 0) heading.current?.focus();
  }, [endings]);

  if (state.is === 'loading') return <GroupsSkeleton />;
  if (state.is === 'failed') return <FailedNotice message={state.message} onRetry={retry} />;
  const tokens = state.items;
  return (
    <>
      <p className={page.about}>
        С токеном программа читает стену или пишет на ней от вашего имени. Никому его не показывайте.{' '}
        <a href={addresses.wallText.href({ name: 'api' })}>Что программа может и как это вызвать</a>
      </p>
      {made && <MadeToken made={made} />}
      <section aria-labelledby="tokens">
        <h2 id="tokens" ref={heading} tabIndex={-1} className={page.heading}>
          Ваши токены
        </h2>
        {tokens.length === 0 ? (
          <p className={page.none}>Токенов пока нет</p>
        ) : (
          <ul className={page.list}>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} onEnd={() => setChosen(token)} />
            ))}
          </ul>
        )}
      </section>
      {tokens.length < limits.tokens ? (
        <NewTokenForm
          // Anew after each token.
          key={made?.id}
          user={user}
          onMade={(token) => {
            setMade(token);
            add(token);
          }}
        />
      ) : (
        <p className={page.none}>Больше {limits.tokens} токенов создать нельзя. Завершите ненужные.</p>
      )}
      <EndDialog
        token={chosen}
        onEnd={(token) => {
          setChosen(null);
          setEndings((count) => count + 1);
          if (token.id === made?.id) setMade(null);
          void end(token);
        }}
        onClose={() => setChosen(null)}
      />
    </>
  );
}
