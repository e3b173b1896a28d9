import { createContext, useContext } from 'react';

const Seconds = createContext(0);

/** How long the server asks to wait between two codes. */
export const CodePauseProvider = Seconds.Provider;

export const useCodePause = (): number => useContext(Seconds);
