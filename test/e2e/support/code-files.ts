/** The files of the app's code, as `vite.config.ts` groups them. */
export const codeFiles = {
  firstLoad: '**/assets/main-*.js',
  visitor: '**/assets/visitor-*.js',
  signedIn: '**/assets/signed-in-*.js',
};
