import type { Column } from '../../ui/table/columns.ts'
import type { PreviewRow } from './build-preview.ts'
import styles from './import.module.css'

/** The columns of a preview. */
export const previewColumns: readonly Column<PreviewRow>[] = [
  {
    id: 'row',
    head: 'Row',
    width: 72,
    render: ({ row }) => <span className={styles.number}>Row {row}</span>,
  },
  {
    id: 'id',
    head: 'ID',
    width: 88,
    render: ({ id }) => <span className={styles.number}>{id === '' ? '–' : id}</span>,
  },
  {
    id: 'title',
    head: 'Title',
    render: ({ title }) => (
      <span className={styles.cut} title={title}>
        {title}
      </span>
    ),
  },
  {
    id: 'folder',
    head: 'Folder',
    width: 260,
    hiddenBelow: 740,
    render: ({ folder }) => (
      <span className={styles.cut} title={folder.join(' › ')}>
        {folder.join(' › ')}
      </span>
    ),
  },
  {
    id: 'changes',
    head: 'Changes',
    width: 260,
    render: ({ action, changed }) => {
      const text = action === 'create' ? 'New' : action === 'none' ? 'None' : changed.join(', ')
      return (
        <span className={styles.cut} title={text}>
          {text}
        </span>
      )
    },
  },
]
