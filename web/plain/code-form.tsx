import { ApiError } from '#client/api-error.ts';
import { startModeration } from '#contract/moderation.ts';
import type { FormFields, PlainOutcome } from '#contract/page.ts';
import { codeIn, isWholeCode } from '../features/sign-in/code-in.ts';
import { CarriedFields, Field, Form } from './form.tsx';
import { done, formProblem, type PlainContext } from './plain-page.ts';

interface CodeFormProps {
  act: string;
  submit: string;
  /** The values that the code confirms. */
  carried: FormFields;
}

/** Asks for the mailed code. The operation is in the query of the address, as `code`. */
export function CodeForm({ act, submit, carried }: CodeFormProps) {
  const { email } = carried;
  return (
    <>
      <p>
        {email === undefined ? (
          'Код отправлен на вашу почту.'
        ) : (
          <>
            Код отправлен на <b>{email}</b>.
          </>
        )}{' '}
        Он в начале темы письма. Не видите письма? Загляните в «Спам».
      </p>
      <Form act={act} submit={submit}>
        <CarriedFields fields={carried} />
        <Field name="confirmCode" label="Код из письма" inputMode="numeric" autoComplete="one-time-code" />
      </Form>
    </>
  );
}

/** Opens a step of the page, as that of the code, which knows what it confirms. */
export const toCode = (context: PlainContext, query: Record<string, string>, fields: FormFields): PlainOutcome =>
  done(context, '', { to: `${context.path}?${new URLSearchParams(query)}`, fields });

/** Runs what needs a fresh code. Without one it asks for it, in a step that knows what the code confirms. */
export async function withFreshCode(
  context: PlainContext,
  carried: FormFields,
  run: () => Promise<string>,
): Promise<PlainOutcome> {
  const { call, clientToken } = context;
  try {
    return done(context, await run());
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFIRMATION_REQUIRED') throw error;
    const { id } = await call(startModeration, { body: { clientToken } });
    return toCode(context, { code: id }, carried);
  }
}

/** The input of the call that verifies the code. */
export function codeOf({ query, clientToken }: PlainContext, fields: FormFields) {
  const confirmCode = codeIn(fields['confirmCode'] ?? '');
  if (!isWholeCode(confirmCode)) throw formProblem('Введите шесть цифр из письма.');
  return { params: { id: query.get('code') ?? '' }, body: { confirmCode, clientToken } };
}
