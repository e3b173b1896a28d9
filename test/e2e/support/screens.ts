export const phone = { width: 390, height: 844 };
export const tablet = { width: 820, height: 1180 };
export const desk = { width: 1440, height: 900 };
