import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { limits } from '#contract/limits.ts';
import { ApiError } from '#client/api-error.ts';
import { explainError, explainGenerally } from '../lib/explain-error.ts';
import { listen } from '../lib/watch.ts';
import { useMounted } from '../lib/observable.ts';
import { CountedText } from '../ui/counted-text.tsx';
import { FormError } from '../ui/form-error.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { WallSign } from '../ui/wall-sign.tsx';
import box from '../ui/check-box.module.css';
import input from '../ui/form-field.module.css';
import radio from '../ui/radio-group.module.css';
import toggle from '../ui/switch.module.css';
import { FormHostContext, FormNameContext, FormStateContext } from './form-host.ts';
import styles from './form.module.css';

/** The initial value of a field, and the message of a refusal that is about this field. */
export function useField(name: string, value: string) {
  const { values, failure, errorAt, isBusy, judge } = use(FormStateContext);
  const refused = failure !== null && failure.status === 400 && errorAt === name ? failure.message : null;
  return { initial: values?.[name] ?? value, refused, isBusy, judge };
}

/** A field that is not good disables the button of its form. */
function useJudgement(name: string, isGood: boolean): void {
  const { judge } = use(FormStateContext);
  // A layout effect runs before the first paint, so the button is never shown enabled for a moment.
  useLayoutEffect(() => {
    judge(name, isGood);
    return () => judge(name, true);
  }, [judge, name, isGood]);
}

/** The result of the check of a value. A value without an error may still not be good, for example an empty one. */
export interface Judgement {
  isGood: boolean;
  error?: string;
  note?: string;
}

const asTyped = (): Judgement => ({ isGood: true });

type InputProps = Pick<
  ComponentProps<'input'>,
  'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck' | 'maxLength'
>;

interface FieldProps extends InputProps {
  name: string;
  label: string;
  value?: string;
  /** Shown while there is no error. */
  note?: string | undefined;
  /** The id of another description. */
  describedBy?: string | undefined;
  /** Removes characters that do not belong in the field from the input. */
  filter?: (text: string) => string;
  /** A text of this length is sent at once. */
  sendsAt?: number | undefined;
  isReadOnly?: boolean;
  takesFocus?: boolean;
  /** An error of `check` waits for a pause in typing, Enter or leaving the field. */
  isPatient?: boolean;
  check?: (value: string) => Judgement;
  /** Asks the server about what `check` finds good, after a pause in typing. */
  remote?: Remote;
}

interface Remote {
  ask(value: string, signal: AbortSignal): Promise<unknown>;
  asking: string;
  good: string;
  /** The person's own value. It is not asked about, and the form cannot be sent with it. */
  own: string;
}

type Asked = Judgement & { value: string };

/** The server's answer about a value. Null if nothing is asked. */
function useAnswer(value: string, remote: Remote | undefined): Judgement | null {
  const [asked, setAsked] = useState<Asked | null>(null);
  /** Counts how often the network has come back. */
  const [turn, setTurn] = useState(0);
  const isWanted = remote !== undefined && value !== remote.own;

  const ask = useEffectEvent(async (signal: AbortSignal) => {
    if (!remote) return;
    setAsked({ value, isGood: false, note: remote.asking });
    try {
      await remote.ask(value, signal);
      if (!signal.aborted) setAsked({ value, isGood: true, note: remote.good });
    } catch (error) {
      if (signal.aborted) return;
      // Without an answer the value counts as good: the server checks it when the form is sent.
      const isRefused = error instanceof ApiError && error.status === 400;
      setAsked({ value, isGood: !isRefused, error: (isRefused ? explainError : explainGenerally)(error) });
    }
  });

  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => void ask(abort.signal), limits.usernameCheckMs);
    const stop = listen(window, ['online'], () => setTurn((count) => count + 1));
    return () => {
      clearTimeout(timer);
      stop();
      abort.abort();
    };
  }, [value, isWanted, turn]);

  if (remote === undefined) return null;
  return isWanted && asked?.value === value ? asked : { isGood: false };
}

/** The pause in typing after which a patient field is checked. */
const typingPauseMs = 1_000;

/** A line of text. */
export function Field({ name, label, value = '', note, check = asTyped, remote, ...more }: FieldProps) {
  const {
    describedBy = '',
    filter,
    sendsAt,
    isReadOnly = false,
    takesFocus = false,
    isPatient = false,
    ...rest
  } = more;
  const id = useId();
  const { initial, refused, isBusy } = useField(name, value);
  const [typed, setTyped] = useState(initial);
  const element = useRef<HTMLInputElement>(null);
  const local = check(typed);
  const found = useAnswer(typed, local.isGood ? remote : undefined) ?? local;
  useJudgement(name, found.isGood);
  // Takes over input that was typed before the script arrived.
  useLayoutEffect(() => setTyped(element.current!.value), []);
  const [isShown, setShown] = useState(!isPatient);
  const error = refused ?? (isShown ? found.error : undefined) ?? null;
  const show = () => setShown(true);
  useEffect(() => {
    if (isShown || typed === '') return undefined;
    const timer = setTimeout(show, typingPauseMs);
    return () => clearTimeout(timer);
  }, [isShown, typed]);
  // This effect runs after that of `useJudgement`, which enables the form.
  useEffect(() => {
    if (typed !== initial && typed.length === sendsAt) element.current!.form!.requestSubmit();
  }, [typed, initial, sendsAt]);
  return (
    <div className={input.field}>
      {/* The <div> gives the label a line of its own in text browsers. */}
      <div className={input.label}>
        <label htmlFor={id}>{label}</label>
      </div>
      <input
        {...rest}
        ref={element}
        id={id}
        name={name}
        defaultValue={initial}
        className={input.input}
        readOnly={isBusy || isReadOnly}
        // `autoFocus` works on a page, even before the scripts; `data-autofocus` in a layer.
        autoFocus={takesFocus}
        data-autofocus={takesFocus || undefined}
        aria-invalid={error !== null}
        aria-describedby={`${id}message ${describedBy}`.trim()}
        onInput={({ currentTarget: field }) => {
          if (filter && filter(field.value) !== field.value) field.value = filter(field.value);
          setTyped(field.value);
          if (field.value === '') show();
        }}
        // When only the window loses the focus, the field remains the active element.
        onBlur={({ target }) => target !== document.activeElement && show()}
        // Enter does not send a form whose button is disabled.
        onKeyDown={({ key }) => key === 'Enter' && show()}
      />
      <div id={`${id}message`} className={input.message} data-asks={remote !== undefined || undefined}>
        <p role="alert" className={input.error}>
          <CountedText text={error} />
        </p>
        <p role="status">{error === null && (found.note ?? note)}</p>
      </div>
    </div>
  );
}

interface TypedText {
  isGood: boolean;
  /** Why the text is not valid; null if that is obvious or the text is valid. */
  problem: string | null;
  /** The number of remaining characters; null while many remain. */
  remaining: number | null;
}

/** Stores a text while it is typed. */
interface Draft {
  text(): string | null;
  change(text: string): void;
}

interface TextFieldProps {
  name: string;
  label: string;
  value?: string;
  check: (value: string) => TypedText;
  draft?: Draft;
  isReadOnly?: boolean;
  takesFocus?: boolean;
  /** The component of the text area, if it is not the usual one. `postId`: the post that the text belongs to. */
  Area?: ComponentType<AreaProps>;
  postId?: string | null;
}

interface AreaProps extends Omit<ComponentProps<typeof TextArea>, 'onChange'> {
  postId: string | null;
  onChange: (text: string) => void;
}

const UsualArea = ({ onChange, postId: _postId, ...props }: AreaProps) => (
  <TextArea {...props} onChange={(event) => onChange(event.target.value)} />
);

/** Lines of text, with a counter. */
export function TextField({ name, label, value = '', check, draft, isReadOnly = false, ...more }: TextFieldProps) {
  const { takesFocus = false, Area = UsualArea, postId = null } = more;
  const { initial, refused, isBusy } = useField(name, value);
  const [typed, setTyped] = useState(initial);
  const field = useRef<HTMLTextAreaElement>(null);
  const { isGood, problem, remaining } = check(typed);
  useJudgement(name, isGood && !isReadOnly);
  const change = (text: string) => {
    setTyped(text);
    draft?.change(text);
  };
  // Takes over input from before the script arrived, or else the stored draft.
  const begin = useEffectEvent(() => {
    const before = field.current!.value;
    if (before !== initial) change(before);
    else if (initial === value) setTyped(draft?.text() ?? initial);
  });
  useLayoutEffect(() => begin(), []);
  return (
    <Area
      name={name}
      label={label}
      value={typed}
      error={refused ?? problem}
      remaining={remaining}
      readOnly={isBusy || isReadOnly}
      fieldRef={field}
      postId={postId}
      autoFocus={takesFocus}
      data-autofocus={takesFocus || undefined}
      onChange={change}
    />
  );
}

interface ChoicesProps {
  name: string;
  legend: string;
  choices: readonly { id: string; name: string }[];
  chosen?: string | undefined;
  /** The form cannot be sent before one of the choices is chosen. */
  isRequired?: boolean;
  note?: ReactNode;
}

export function Choices({ name, legend, choices, chosen, isRequired = false, note }: ChoicesProps) {
  const id = useId();
  const { initial, isBusy } = useField(name, chosen ?? '');
  const [isChosen, setChosen] = useState(initial !== '');
  const group = useRef<HTMLFieldSetElement>(null);
  useJudgement(name, isChosen || !isRequired);
  useLayoutEffect(() => setChosen(group.current!.querySelector(':checked') !== null), []);
  return (
    <fieldset
      ref={group}
      className={radio.group}
      aria-describedby={note === undefined ? undefined : id}
      aria-disabled={isBusy || undefined}
      onChange={() => setChosen(true)}
    >
      <legend className={radio.legend}>{legend}</legend>
      {choices.map((choice) => (
        // The <div> gives each choice a line of its own in text browsers.
        <div key={choice.id}>
          <label className={radio.choice}>
            <input
              type="radio"
              className={radio.radio}
              name={name}
              value={choice.id}
              defaultChecked={choice.id === initial}
            />{' '}
            {choice.name}
          </label>
        </div>
      ))}
      {note !== undefined && (
        <p id={id} className={styles.note}>
          {note}
        </p>
      )}
    </fieldset>
  );
}

interface SwitchProps {
  name: string;
  label: string;
  isOn: boolean;
  note?: string;
}

/** Yes or no; a field that is absent says no. */
export function Switch({ name, label, isOn, note }: SwitchProps) {
  const id = useId();
  const mounted = useMounted();
  const { values } = use(FormStateContext);
  const [isChecked, setChecked] = useState(values ? name in values : isOn);
  return (
    <div>
      <label className={toggle.label}>
        <input
          type="checkbox"
          name={name}
          value="1"
          role={mounted ? 'switch' : undefined}
          className={toggle.switch}
          checked={isChecked}
          aria-describedby={note === undefined ? undefined : id}
          onChange={(event) => setChecked(event.target.checked)}
        />{' '}
        {label}
      </label>
      {note !== undefined && (
        <p id={id} className={styles.note}>
          {note}
        </p>
      )}
    </div>
  );
}

interface CheckProps {
  name: string;
  value: string;
  /** The words beside the box, which may contain links. */
  children: ReactNode;
}

/** A box for a consent. It is never ticked beforehand. */
export function Check({ name, value, children }: CheckProps) {
  const id = useId();
  const { refused } = useField(name, '');
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refused !== null) element.current!.focus();
  }, [refused]);
  return (
    <div>
      <label className={box.label}>
        <input
          ref={element}
          type="checkbox"
          name={name}
          value={value}
          className={box.box}
          required
          aria-invalid={refused !== null}
          aria-describedby={id}
        />
        <span>{children}</span>
      </label>
      <div id={id}>
        <FormError>{refused}</FormError>
      </div>
    </div>
  );
}

/** A hidden field with a value that the act needs. */
export const Carried = ({ name, value }: { name: string; value: string }) => (
  <input type="hidden" name={name} value={value} />
);

interface FormPageProps {
  /** People come to the page by a link, so its header names the wall. */
  isInvitation?: boolean;
  /** The title, if it differs from the heading of the page. */
  title?: ReactNode;
  tip?: ReactNode;
  /** The page is the sign-in. Its form is in the middle of the page. */
  isEntrance?: boolean;
  /** Visitors see neither header nor bars. */
  isBare?: boolean | undefined;
  children: ReactNode;
}

/** A page that is one form. In a layer it has no title, because the layer has one, and only an entrance has its `tip`. */
export function FormPage({ title, tip, isEntrance, isBare, isInvitation, children }: FormPageProps) {
  const id = useId();
  const { close } = use(FormHostContext);
  const line = tip !== undefined && <p className={styles.tip}>{tip}</p>;
  if (close) {
    return (
      <>
        {isEntrance && line}
        {children}
      </>
    );
  }
  return (
    <section className={styles.page} data-entrance={isEntrance} data-bare={isBare}>
      {isInvitation && <WallSign />}
      {title !== undefined && (
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
      )}
      {line}
      <FormNameContext value={title === undefined ? undefined : id}>{children}</FormNameContext>
    </section>
  );
}
