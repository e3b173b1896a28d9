// The entry of the package: what a program imports from `stena-client`.
export { ApiError } from './api-error.ts';
export { createClient } from './create-client.ts';
