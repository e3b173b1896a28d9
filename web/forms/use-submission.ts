import { use, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import type { FormFields } from '#contract/page-data.ts';
import { explainError } from '../lib/explain-error.ts';
import { focusAfter } from '../lib/focus-after.ts';
import { randomKey } from '../lib/random-key.ts';
import { onRecovery } from '../lib/server-silence.ts';
import { showToast } from '../lib/toasts.ts';
import { type Failure, FormHostContext } from './form-host.ts';
import { fieldOf } from './page-module.ts';

export type Saving = 'idle' | 'saving' | 'saved' | 'failed';

export interface SubmissionOptions {
  /** The field at which a refusal with status 400 is shown. */
  errorAt?: string;
  /** With scripts each change is saved at once, and there is no button. */
  autosave?: boolean;
  /** Computes the idempotency key. Without it the form has a random one until the input changes or is accepted. */
  keyFor?: (fields: FormFields) => string;
  onSend?: () => void;
  onFailure?: (failure: Failure) => void;
  /** Called after the act. */
  onDone?: () => void;
}

/** What the next submission needs. It does not cause a render. */
interface Work {
  isSending: boolean;
  /** The fields have changed while they were being sent. */
  isChanged: boolean;
  /** The idempotency key of the input, until the input changes. */
  nonce?: string | undefined;
}

interface Accepted {
  count: number;
  /** The name of the field that had the focus when the form was accepted, or another element that had it. */
  focused: string | Element | null;
}

/** Sends the fields of a form to the act of the page, one submission at a time, and knows how the last one went. */
export function useSubmission(
  initialFailure: Failure | null,
  { errorAt, autosave = false, keyFor, onSend, onFailure, onDone }: SubmissionOptions,
) {
  const { send, close } = use(FormHostContext);
  const [failure, setFailure] = useState(initialFailure);
  const [isBusy, setBusy] = useState(false);
  const [saving, setSaving] = useState<Saving>('idle');
  const [accepted, setAccepted] = useState<Accepted>({ count: 0, focused: null });
  const work = useRef<Work>({ isSending: false, isChanged: false });

  const isUnanswered = failure?.status === 0 && !autosave;
  useLayoutEffect(() => (isUnanswered ? onRecovery(() => setFailure(null)) : undefined), [isUnanswered]);

  function fieldsOf(element: HTMLFormElement, submitter?: HTMLElement | null): FormFields {
    const isNamed = submitter instanceof HTMLButtonElement && submitter.name !== '';
    const texts = { ...textsIn(element), ...(isNamed && { [submitter.name]: submitter.value }) };
    work.current.nonce ??= randomKey();
    return { ...texts, nonce: keyFor?.(texts) ?? work.current.nonce };
  }

  function showAccepted(element: HTMLFormElement): void {
    onDone?.();
    work.current.nonce = undefined;
    setSaving('saved');
    if (autosave) return;
    const field = element.querySelector<HTMLInputElement>('[name]:focus');
    setAccepted(({ count }) => ({ count: count + 1, focused: field?.name ?? document.activeElement }));
  }

  function showRefused(element: HTMLFormElement, error: unknown): void {
    const message = explainError(error);
    if (!element.isConnected) {
      // When the session has ended, the screen says so itself.
      if (!(error instanceof ApiError && error.code === 'UNAUTHORIZED')) showToast(message);
      return;
    }
    const { status, code } = error instanceof ApiError ? error : { status: 500, code: '' };
    const failed = { message, status, code, ...fieldOf(error) };
    // A form with `errorAt` shows only refusals of the input; its other failures are toasts. A layer covers toasts, so a form in a layer shows all.
    if (errorAt === undefined || status === 400 || close) setFailure(failed);
    else showToast(message);
    onFailure?.(failed);
    setSaving('failed');
  }

  async function submit(element: HTMLFormElement, submitter?: HTMLElement | null): Promise<void> {
    if (work.current.isSending) {
      work.current.isChanged = true;
      return;
    }
    Object.assign(work.current, { isSending: true, isChanged: false });
    setBusy(true);
    setSaving('saving');
    setFailure(null);
    const fields = fieldsOf(element, submitter);
    onSend?.();
    const restoreFocus = focusAfter(element);
    try {
      await send(fields, autosave);
      showAccepted(element);
      restoreFocus();
    } catch (error) {
      showRefused(element, error);
    }
    work.current.isSending = false;
    setBusy(false);
    if (autosave && work.current.isChanged) await submit(element);
  }

  function noteInput(): void {
    work.current.nonce = undefined;
    if (failure !== null && !autosave) setFailure(null);
  }

  return { failure, isBusy, saving, accepted, submit, noteInput };
}

const textsIn = (form: HTMLFormElement): FormFields =>
  Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
