import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import type { Column } from '../../ui/table/columns.ts'
import type { PreviewAction, PreviewRow } from './build-preview.ts'
import styles from './import.module.css'

type PreviewColumn = Column<PreviewRow>

const cut = (text: string) => (
  <span className={styles.cut} title={text}>
    {text}
  </span>
)

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const row: PreviewColumn = {
  id: 'row',
  head: 'In the file',
  width: 96,
  render: (item) => <span className={styles.number}>Row {item.row}</span>,
}
const id: PreviewColumn = {
  id: 'id',
  head: 'ID',
  width: 88,
  render: (item) => <span className={styles.number}>{item.id}</span>,
}
const title: PreviewColumn = { id: 'title', head: 'Title', render: (item) => cut(item.title) }
const folder: PreviewColumn = {
  id: 'folder',
  head: 'Folder',
  width: 280,
  hiddenBelow: 740,
  render: (item) => cut(item.folder.join(' › ')),
}
const steps: PreviewColumn = {
  id: 'steps',
  head: 'Steps',
  width: 88,
  render: ({ stepCount }) => (
    <span className={styles.number}>{stepCount === null ? '' : formatNumberOf(stepCount, 'step')}</span>
  ),
}
const changes: PreviewColumn = {
  id: 'changes',
  head: 'Changes',
  width: 300,
  render: ({ changed }) => cut(capitalize(changed.join(', '))),
}

/** The most similar test case, which opens in another tab: the import stays as it is. */
const getSimilarColumn = (projectId: string): PreviewColumn => ({
  id: 'similar',
  head: 'Similar here',
  width: 300,
  render: ({ similar: [first, ...others] }) =>
    first !== undefined && (
      <span className={styles.cut} title={[first, ...others].map((found) => `${found.id} ${found.title}`).join('\n')}>
        Similar to{' '}
        <Link to={paths.case(projectId, first.id)} target="_blank" rel="noopener">
          {first.id}
        </Link>
        {others.length > 0 && ` and ${others.map((other) => other.id).join(', ')}`}
      </span>
    ),
})

/** The columns of new test cases, some of which are similar to others here. */
export const getColumnsWithSimilar = (projectId: string): readonly PreviewColumn[] => [
  row,
  title,
  getSimilarColumn(projectId),
  { ...folder, hiddenBelow: 1000 },
  { ...steps, hiddenBelow: 860 },
]

/** The columns of a preview, by what happens with its rows. */
export const previewColumns: Readonly<Record<Exclude<PreviewAction, 'refused'>, readonly PreviewColumn[]>> = {
  create: [row, title, folder, steps],
  update: [row, id, title, changes],
  none: [row, id, title, folder],
}
