/** Its contrast to the ground of both themes is at least 3:1 in each hue. */
export const faceColour = (hue: number): string => `oklch(.62 .1 ${hue})`;
