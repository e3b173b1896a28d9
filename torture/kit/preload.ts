/** Settings with which a server loads a module before all else. */
export const preload = (module: URL): NodeJS.ProcessEnv => ({ NODE_OPTIONS: `--import=${module}` });
