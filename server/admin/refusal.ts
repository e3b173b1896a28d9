/** What was asked for cannot be done. The message is for the operator. */
export class Refusal extends Error {
  override name = 'Refusal';
}
