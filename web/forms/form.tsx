import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { FormFields } from '#contract/page-data.ts';
import { useMounted } from '../lib/observable.ts';
import { listen } from '../lib/watch.ts';
import button from '../ui/button.module.css';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { ConfirmButtons, DialogButtons } from '../ui/dialog-buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import text from '../ui/text-form.module.css';
import { type Failure, FormHostContext, FormNameContext, FormStateContext } from './form-host.ts';
import styles from './form.module.css';
import { type Saving, type SubmissionOptions, useSubmission } from './use-submission.ts';

/**
 * Fits a dialog into the part of the window that is not covered by the keyboard, until the returned function is called.
 * Safari lays the keyboard over the page and changes only `visualViewport`; the other browsers make the page smaller, as
 * the document asks for with `interactive-widget`.
 */
function fitAboveKeyboard({ style }: HTMLElement): () => void {
  const { visualViewport: viewport } = window;
  if (!viewport) return () => {};

  const fit = () => {
    // While the page is zoomed in, the reader moves the visible part over the dialog, so the dialog is not fitted.
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

interface FormProps extends SubmissionOptions {
  act: string;
  /** Distinguishes forms of a page with the same act. */
  id?: string;
  /** The label of the button. Undefined: the form has no button. */
  submit: string | undefined;
  variant?: 'primary' | 'danger' | 'quiet' | 'plain';
  /** The id of the element that says what the button is about. */
  describedBy?: string | undefined;
  /** With scripts a dialog asks first. */
  confirm?: { title: string; text: ReactNode; action: string };
  /** With scripts the button is disabled. */
  isDisabled?: boolean;
  /** In a dialog the button has the focus first. */
  takesFocus?: boolean;
  /** The form is a button in a row. */
  isInline?: boolean;
  /** The form is for writing a text: the buttons stay visible above the keyboard, and Ctrl+Enter sends, on a Mac also ⌘+Enter. */
  isForText?: boolean;
  /** A button that leaves the form without the act. In a layer it closes the layer, elsewhere it is a link to the address. */
  cancel?: { href: string; text: string } | undefined;
  children?: ReactNode;
}

/** Sends its fields to an act of the page around it: with scripts by a call, without them by the browser itself. */
export function Form(props: FormProps) {
  const { act, id, confirm, autosave, isInline, isForText = false } = props;
  const { action, hidden, sent } = use(FormHostContext);
  const before = sent !== null && sent.fields['act'] === act && sent.fields['id'] === id ? sent : null;
  const form = useRef<HTMLFormElement>(null);
  const initialFailure = before?.failed ? { ...before, status: before.refused ? 400 : 500 } : null;
  const [isAsking, setAsking] = useState(false);
  const onDone = () => {
    props.onDone?.();
    setAsking(false);
  };
  const submission = useSubmission(initialFailure, { ...props, onDone });
  const { failure, isBusy, saving, accepted, submit, noteInput } = submission;
  const { invalid, hasInvalid, judge } = useInvalidFields();

  const errorAt = failure?.field ?? props.errorAt;

  // In an effect, after the dialog is open: a measurement before that would lay the page out once more.
  useEffect(() => {
    const dialog = isForText && form.current!.closest('dialog');
    return dialog ? fitAboveKeyboard(dialog) : undefined;
  }, [isForText]);

  useEffect(() => {
    if (failure?.status === 400 && errorAt !== undefined)
      form.current?.querySelector<HTMLInputElement>(`[name="${errorAt}"]`)?.select?.();
  }, [failure, errorAt]);

  // The fields of an accepted form are replaced by empty ones, so the focus is set again.
  useLayoutEffect(() => {
    const { focused } = accepted;
    const named = (state = '') => form.current!.querySelector(`[name="${focused as string}"]${state}`);
    const element = typeof focused === 'string' ? (named(':checked') ?? named()) : focused;
    if (element instanceof HTMLElement) element.focus();
  }, [accepted]);

  const isAtField = failure !== null && failure.status === 400 && errorAt !== undefined;
  const general = isAtField || autosave === true ? null : (failure?.message ?? null);
  const fields: FormFields = { ...hidden, act, ...(id !== undefined && { id }) };
  const state = { values: before?.fields ?? null, failure, errorAt, isBusy, judge };
  const mounted = useMounted();
  const end = (
    <>
      {!isAsking && general !== null && <FormError>{general}</FormError>}
      {autosave && mounted ? (
        <SavingLine saving={saving} failure={failure} onRepeat={() => void submit(form.current!)} />
      ) : (
        <Buttons {...props} isBusy={isBusy} isWaiting={mounted && (props.isDisabled || hasInvalid || isAtField)} />
      )}
    </>
  );
  return (
    <form
      ref={form}
      method="post"
      action={action}
      aria-labelledby={use(FormNameContext)}
      className={isInline ? styles.inline : isForText ? text.form : styles.form}
      data-fits={isForText || undefined}
      noValidate
      onKeyDown={isForText ? submitOnCtrlEnter : undefined}
      onInput={noteInput}
      onChange={autosave ? (event) => void submit(event.currentTarget) : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (invalid.current.size > 0) return;
        if (confirm) setAsking(true);
        else void submit(event.currentTarget, event.nativeEvent.submitter);
      }}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormStateContext value={state}>
        <Fragment key={accepted.count}>{props.children}</Fragment>
      </FormStateContext>
      {isForText ? <div className={text.end}>{end}</div> : end}
      {confirm && (
        <Dialog open={isAsking} title={confirm.title} onClose={() => setAsking(false)}>
          {isAsking && (
            <>
              {confirm.text}
              <ConfirmButtons
                action={confirm.action}
                busy={isBusy}
                error={general}
                onConfirm={() => submit(form.current!)}
                onCancel={() => setAsking(false)}
              />
            </>
          )}
        </Dialog>
      )}
    </form>
  );
}

/** The names of invalid fields. A set beside the state, because a submission may come before the next render. */
function useInvalidFields() {
  const invalid = useRef(new Set<string>());
  const [hasInvalid, setHasInvalid] = useState(false);
  const judge = useCallback((name: string, isGood: boolean) => {
    if (isGood) invalid.current.delete(name);
    else invalid.current.add(name);
    setHasInvalid(invalid.current.size > 0);
  }, []);
  return { invalid, hasInvalid, judge };
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

interface ButtonsProps extends FormProps {
  isBusy: boolean;
  isWaiting: boolean | undefined;
}

function Buttons({ cancel, submit, variant = 'primary', confirm, isBusy, isWaiting, ...props }: ButtonsProps) {
  const mounted = useMounted();
  const send = submit !== undefined && (
    <Button
      type="submit"
      variant={variant}
      busy={isBusy}
      disabled={isWaiting ?? false}
      aria-describedby={props.describedBy}
      data-autofocus={props.takesFocus || undefined}
      aria-haspopup={mounted && confirm ? 'dialog' : undefined}
    >
      {submit}
    </Button>
  );
  if (!cancel) return send;
  return (
    <DialogButtons>
      <LeaveButton {...cancel} />
      {send}
    </DialogButtons>
  );
}

/** A button that closes the layer. Outside a layer it is a link to the address. */
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

interface SavingLineProps {
  saving: Saving;
  failure: Failure | null;
  onRepeat: () => void;
}

/** The line is there from the start, so nothing moves when it says something. */
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
