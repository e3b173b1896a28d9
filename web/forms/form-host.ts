import { createContext } from 'react';
import type { FormFields, SentForm } from '#contract/page-data.ts';
import type { MailOfCode } from '#contract/sign-in.ts';

/** The page around a form. */
export interface FormHost {
  /** The address of the page. Without it w3m would leave out the query. */
  action: string;
  /** Fields that a form sends to the server when no script sends it. */
  hidden: FormFields;
  /** The form that was sent without scripts and is shown again. */
  sent: SentForm | null;
  /** The state of the mail with the code when the server made the page. */
  mail?: MailOfCode | undefined;
  /** Closes the layer that the page is in. */
  close?: (() => void) | undefined;
  /** Runs the act in the browser. Rejects with the reason why it was not done. */
  send(fields: FormFields, isQuiet: boolean): Promise<void>;
}

export const FormHostContext = createContext<FormHost>({
  action: '',
  hidden: {},
  sent: null,
  send: () => Promise.reject(new Error('A form stands outside a page')),
});

export interface Failure {
  message: string;
  /** The server's status; 0 when it has not answered. */
  status: number;
  code?: string;
  /** The field at which the refusal is shown, if it is not the `errorAt` of the form. */
  field?: string;
}

/** The form around a field. */
export interface FormState {
  /** The fields of the form when it was sent without scripts; null for a form that was not sent. */
  values: FormFields | null;
  failure: Failure | null;
  /** The name of the field at which a refusal is shown. */
  errorAt: string | undefined;
  isBusy: boolean;
  /** A field that is not good disables the button. */
  judge(name: string, isGood: boolean): void;
}

export const FormStateContext = createContext<FormState>({
  values: null,
  failure: null,
  errorAt: undefined,
  isBusy: false,
  judge() {},
});

/** The id of the heading that names the forms of a page. */
export const FormNameContext = createContext<string | undefined>(undefined);
