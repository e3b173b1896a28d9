import type { DialogIntent } from '../auth/intent.ts';
import { ReportForm } from '../reports/report-form.tsx';
import { ComposerForm } from './composer-form.tsx';
import { DeleteForm } from './delete-form.tsx';
import { FetchedEditForm } from './fetched-edit-form.tsx';

interface PostFormProps {
  intent: DialogIntent;
  onDeleted: (postId: string) => void;
  onClose: () => void;
}

/** What stands in the dialog. Readers never load it. */
export function PostForm({ intent, onDeleted, onClose }: PostFormProps) {
  switch (intent.kind) {
    case 'new-post':
      return <ComposerForm repliedPostId={null} onClose={onClose} />;
    case 'reply':
      return <ComposerForm repliedPostId={intent.postId} onClose={onClose} />;
    case 'edit':
      return <FetchedEditForm postId={intent.postId} onClose={onClose} />;
    case 'delete':
      return <DeleteForm postId={intent.postId} onDeleted={onDeleted} onClose={onClose} />;
    case 'report':
      return <ReportForm postId={intent.postId} onClose={onClose} />;
  }
}
