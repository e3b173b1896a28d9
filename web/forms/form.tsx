import { Fragment, type ReactNode, use, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import type { FormFields } from '#contract/page-data.ts';
import { explainError } from '../lib/explain-error.ts';
import { focusAfter } from '../lib/focus-after.ts';
import { listen } from '../lib/watch.ts';
import { useMounted } from '../lib/observable.ts';
import { randomKey } from '../lib/random-key.ts';
import { onRecovery } from '../lib/server-silence.ts';
import { showToast } from '../lib/toasts.ts';
import button from '../ui/button.module.css';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/counted-text.tsx';
import { ConfirmButtons, DialogButtons } from '../ui/dialog-buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import text from '../ui/text-form.module.css';
import { type Failure, FormHostContext, FormNameContext, FormStateContext } from './form-host.ts';
import styles from './form.module.css';
import { fieldOf } from './page-module.ts';

/**
 * Fits a dialog into the part of the window that is not covered by the keyboard, until the returned function is called.
 * Safari lays the keyboard over the page and changes only `visualViewport`; the other browsers make the page smaller, as
 * the document asks for with `interactive-widget`.
 */
function fitAboveKeyboard({ style }: HTMLElement): () => void {
  const { visualViewport: viewport } = window;
  if (!viewport) return () => {};

  const fit = () => {
    // Zoomed in, the reader moves the visible part over the dialog.
    if (viewport.scale > 1.01 || viewport.height === document.documentElement.clientHeight) return release();
    style.setProperty('--free-height', `${viewport.height}px`);
    style.setProperty('--free-top', `${viewport.offsetTop}px`);
  };
  const release = () => {
    style.removeProperty('--free-height');
    style.removeProperty('--free-top');
  };

  fit();
  const stopFollowing = listen(viewport, ['resize', 'scroll'], fit);
  return () => {
    stopFollowing();
    release();
  };
}

interface FormProps {
  act: string;
  /** Distinguishes forms of a page with the same act. */
  id?: string;
  /** The label of the button. Undefined: the form has no button. */
  submit: string | undefined;
  variant?: 'primary' | 'danger' | 'quiet' | 'plain';
  /** The id of what the button is about. */
  describedBy?: string | undefined;
  /** The field at which a refusal stands, status 400. */
  errorAt?: string;
  /** With scripts a dialog asks first. */
  confirm?: { title: string; text: ReactNode; action: string };
  /** With scripts each change is saved at once, and there is no button. */
  autosave?: boolean;
  /** With scripts the button waits. */
  isDisabled?: boolean;
  /** Computes the idempotency key. Without it the form has a random one until the input changes or is accepted. */
  keyFor?: (fields: FormFields) => string;
  onSend?: () => void;
  onFailure?: (failure: Failure) => void;
  /** After the act. */
  onDone?: () => void;
  /** In a dialog the button has the focus first. */
  takesFocus?: boolean;
  /** The form is a button in a row. */
  isInline?: boolean;
  /** A text is written: the buttons stay in sight, and Ctrl+Enter sends it, on a Mac also ⌘+Enter. */
  writesText?: boolean;
  /** What leads away without the act. In a layer it closes it, elsewhere it leads to the address. */
  cancel?: { href: string; text: string } | undefined;
  children?: ReactNode;
}

interface Work {
  isSending: boolean;
  isChanged: boolean;
  /** The names of invalid fields. Kept here because a submission may come before the next render. */
  bad: Set<string>;
  /** The idempotency key of what is sent, until it is changed. */
  nonce?: string | undefined;
  /** What had the focus when they were saved; a field by its name. */
  focused?: string | Element | null;
}

type Saving = 'idle' | 'saving' | 'saved' | 'failed';

/** Sends its fields to an act of the page it is on: natively, or once scripts run by them. */
export function Form(props: FormProps) {
  const { act, id, submit, variant = 'primary', describedBy, confirm, autosave, onFailure, isInline } = props;
  const { isDisabled = false, keyFor, onSend, onDone, writesText = false, cancel } = props;
  const { action, hidden, sent, send, close } = use(FormHostContext);
  const before = sent !== null && sent.fields['act'] === act && sent.fields['id'] === id ? sent : null;
  const [failure, setFailure] = useState<Failure | null>(
    before?.failed ? { ...before, status: before.refused ? 400 : 500 } : null,
  );
  const errorAt = failure?.field ?? props.errorAt;
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [saving, setSaving] = useState<Saving>('idle');
  const [isRuled, setRuled] = useState(false);
  /** Counts what was sent, so that the fields then begin anew. */
  const [turn, setTurn] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const work = useRef<Work>({ isSending: false, isChanged: false, bad: new Set() });
  const mounted = useMounted();
  const judge = useCallback((name: string, isGood: boolean) => {
    const { bad } = work.current;
    if (bad.has(name) === !isGood) return;
    if (isGood) bad.delete(name);
    else bad.add(name);
    setRuled(bad.size > 0);
  }, []);

  // After the dialog is open: a measurement before that would lay the page out once more.
  useEffect(() => {
    const dialog = writesText && form.current!.closest('dialog');
    return dialog ? fitAboveKeyboard(dialog) : undefined;
  }, [writesText]);

  const isUnanswered = failure?.status === 0 && autosave !== true;
  useLayoutEffect(() => (isUnanswered ? onRecovery(() => setFailure(null)) : undefined), [isUnanswered]);

  useEffect(() => {
    if (failure?.status === 400 && errorAt !== undefined)
      form.current?.querySelector<HTMLInputElement>(`[name="${errorAt}"]`)?.select?.();
  }, [failure, errorAt]);

  // New fields have taken the place of the one that had the focus, and one that takes it when it appears has it.
  useLayoutEffect(() => {
    const { focused } = work.current;
    const named = (state = '') => form.current!.querySelector(`[name="${focused as string}"]${state}`);
    const element = typeof focused === 'string' ? (named(':checked') ?? named()) : focused;
    if (element instanceof HTMLElement) element.focus();
  }, [turn]);

  const sendOnce = async (submitter?: HTMLElement | null) => {
    const element = form.current;
    if (element === null) return;
    if (work.current.isSending) {
      work.current.isChanged = true;
      return;
    }
    Object.assign(work.current, { isSending: true, isChanged: false });
    work.current.nonce ??= randomKey();
    const pressed =
      submitter instanceof HTMLButtonElement && submitter.name !== '' ? { [submitter.name]: submitter.value } : {};
    const texts = { ...textsIn(element), ...pressed };
    const fields = { ...texts, nonce: keyFor?.(texts) ?? work.current.nonce };
    setBusy(true);
    setSaving('saving');
    setFailure(null);
    onSend?.();
    const restoreFocus = focusAfter(element);
    try {
      await send(fields, autosave === true);
      onDone?.();
      work.current.nonce = undefined;
      setAsking(false);
      setSaving('saved');
      if (autosave !== true) {
        const field = element.querySelector<HTMLInputElement>('[name]:focus');
        work.current.focused = field?.name ?? document.activeElement;
        setTurn((count) => count + 1);
      }
      restoreFocus();
    } catch (error) {
      // What is on the screen then says that the session has ended.
      const isSignedOut = error instanceof ApiError && error.code === 'UNAUTHORIZED';
      const message = explainError(error);
      if (!element.isConnected) {
        if (!isSignedOut) showToast(message);
      } else {
        const reason = error instanceof ApiError ? error : { status: 500, code: '' };
        const failed = { message, status: reason.status, code: reason.code, ...fieldOf(error) };
        // Only a refusal of the input is shown at the field; other failures are toasts. A layer covers toasts, so there the form shows them.
        if (props.errorAt === undefined || failed.status === 400 || close) setFailure(failed);
        else showToast(message);
        onFailure?.(failed);
        setSaving('failed');
      }
    }
    work.current.isSending = false;
    setBusy(false);
    if (autosave === true && work.current.isChanged) await sendOnce();
  };

  const fields: FormFields = { ...hidden, act, ...(id !== undefined && { id }) };
  const isAtField = failure !== null && failure.status === 400 && errorAt !== undefined;
  const general = isAtField || autosave === true ? null : (failure?.message ?? null);
  const state = { values: before?.fields ?? null, failure, errorAt, isBusy, judge };
  const end = (
    <>
      {!isAsking && general !== null && <FormError>{general}</FormError>}
      {autosave && mounted ? (
        <SavingLine saving={saving} failure={failure} onRepeat={() => void sendOnce()} />
      ) : (
        <Buttons cancel={cancel}>
          {submit !== undefined && (
            <Button
              type="submit"
              variant={variant}
              busy={isBusy}
              disabled={mounted && (isDisabled || isRuled || isAtField)}
              aria-describedby={describedBy}
              data-autofocus={props.takesFocus || undefined}
              aria-haspopup={mounted && confirm ? 'dialog' : undefined}
            >
              {submit}
            </Button>
          )}
        </Buttons>
      )}
    </>
  );
  return (
    <form
      ref={form}
      method="post"
      action={action}
      aria-labelledby={use(FormNameContext)}
      className={isInline ? styles.inline : writesText ? text.form : styles.form}
      data-fits={writesText || undefined}
      noValidate
      onKeyDown={(event) => {
        if (!writesText || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
      onInput={() => {
        work.current.nonce = undefined;
        if (failure !== null && !autosave) setFailure(null);
      }}
      onChange={autosave ? () => void sendOnce() : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (work.current.bad.size > 0) return;
        if (confirm) setAsking(true);
        else void sendOnce(event.nativeEvent.submitter);
      }}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormStateContext value={state}>
        <Fragment key={turn}>{props.children}</Fragment>
      </FormStateContext>
      {writesText ? <div className={text.end}>{end}</div> : end}
      {confirm && (
        <Dialog open={isAsking} title={confirm.title} onClose={() => setAsking(false)}>
          {isAsking && (
            <>
              {confirm.text}
              <ConfirmButtons
                action={confirm.action}
                busy={isBusy}
                error={general}
                onConfirm={() => sendOnce()}
                onCancel={() => setAsking(false)}
              />
            </>
          )}
        </Dialog>
      )}
    </form>
  );
}

function Buttons({ cancel, children }: Pick<FormProps, 'cancel' | 'children'>) {
  if (!cancel) return children;
  return (
    <DialogButtons>
      <LeaveButton {...cancel} />
      {children}
    </DialogButtons>
  );
}

/** Closes the layer; on a page of its own it is a link to the address. */
export function LeaveButton({ href, text: words }: { href: string; text: string }) {
  const { close } = use(FormHostContext);
  return close ? (
    <Button data-autofocus onClick={close}>
      {words}
    </Button>
  ) : (
    <a className={button.button} data-variant="quiet" href={href}>
      {words}
    </a>
  );
}

const textsIn = (form: HTMLFormElement): FormFields =>
  Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

interface SavingLineProps {
  saving: Saving;
  failure: Failure | null;
  onRepeat: () => void;
}

/** It has its place from the start, so nothing moves. */
function SavingLine({ saving, failure, onRepeat }: SavingLineProps) {
  return (
    <div className={styles.saving}>
      <p role="status">
        {saving === 'saving' && 'Сохраняем…'}
        {saving === 'saved' && 'Сохранено'}
      </p>
      <p role="alert" className={styles.failure}>
        {saving === 'failed' && `Не сохранено. ${failure?.message}`}
      </p>
      {saving === 'failed' && <Button onClick={onRepeat}>Повторить</Button>}
    </div>
  );
}
