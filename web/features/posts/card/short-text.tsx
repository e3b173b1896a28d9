import { splitQuotations, withoutSigns } from '#contract/quotations.ts';
import { noBreaks } from '../../../lib/no-breaks.ts';

/** A text without its lines, for a place with little room. */
export const ShortText = ({ text }: { text: string }) =>
  splitQuotations(text).map(({ quoted, text: part, at }) =>
    quoted ? [<q key={at}>{noBreaks(withoutSigns(part))}</q>, ' '] : noBreaks(part),
  );
