/** Longer than every emoji, in UTF-16 units. */
const longest = 40;

/** Whether the text is exactly one emoji: a sequence, a flag and a skin tone count as one. */
export const oneEmoji = (text: string): boolean => text.length <= longest && /^\p{RGI_Emoji}$/v.test(text);
