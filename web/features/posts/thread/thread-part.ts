export { NewReplies } from './new-replies.tsx';
export { controlThread } from './thread-control.ts';
export { firstSpan } from './thread-window.ts';
