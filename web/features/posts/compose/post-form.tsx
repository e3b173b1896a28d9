import type { DialogAction } from '../../session/actions.ts';
import { ReportForm } from '../../reports/report-form.tsx';
import { ComposerForm } from './composer-form.tsx';
import { DeleteForm } from './delete-form.tsx';
import { FetchedEditForm } from './fetched-edit-form.tsx';

interface PostFormProps {
  action: DialogAction;
  onDeleted: (postId: string) => void;
  onClose: () => void;
}

/** The form in the dialog, loaded on demand. */
export function PostForm({ action, onDeleted, onClose }: PostFormProps) {
  switch (action.kind) {
    case 'new-post':
      return <ComposerForm repliedPostId={null} onClose={onClose} />;
    case 'reply':
      return <ComposerForm repliedPostId={action.postId} onClose={onClose} />;
    case 'edit':
      return <FetchedEditForm postId={action.postId} onClose={onClose} />;
    case 'delete':
      return <DeleteForm postId={action.postId} onDeleted={onDeleted} onClose={onClose} />;
    case 'report':
      return <ReportForm postId={action.postId} onClose={onClose} />;
  }
}
