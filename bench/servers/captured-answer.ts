/** An answer of the app as it goes to the bare server. */
export interface CapturedAnswer {
  type: string;
  /** Base64. */
  body: string;
}
