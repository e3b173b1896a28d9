import { runImport } from './run-import.ts';

process.umask(0o077);
process.exitCode = await runImport(process.argv.slice(2), process.env, {
  print: (text) => console.log(text),
  complain: (text) => console.error(text),
});
