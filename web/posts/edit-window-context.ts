import { createContext } from 'react';

/** How many seconds after its publication a post may be edited. */
export const EditWindow = createContext(0);
