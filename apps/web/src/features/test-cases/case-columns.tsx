import { formatEstimate } from '@caseward/case-files/estimate-text'
import type { Field, RecentResult, TestCaseRow } from '@caseward/client/endpoints'

import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { formatFieldValue, isSortable } from '../fields/field-words.ts'
import { FIELD_COLUMN } from './case-view.ts'
import { priorityNames, typeNames } from './case-words.ts'
import styles from './cases.module.css'
import { PriorityGlyph } from './priority-glyph.tsx'

/** The name under which hidden columns are remembered. */
export const TABLE_NAME = 'cases'

interface CaseColumns {
  /** The latest results by test case id, newest first. */
  histories: ReadonlyMap<string, readonly RecentResult[]>
  /** Test cases whose changes are not saved. */
  unsentIds: ReadonlySet<string>
  /** The name of an owner. */
  getPerson: (id: string) => string
  /** Which of the columns that few projects use are left out. */
  without?: ReadonlySet<'owner' | 'estimate'>
  /** The custom fields that have a column. */
  fields?: readonly Field[]
}

/** The columns of the table. */
export const buildColumns = (parts: CaseColumns): readonly Column<TestCaseRow>[] =>
  allColumns(parts).filter(({ id }) => parts.without?.has(id as 'owner') !== true)

const allColumns = ({ histories, unsentIds, getPerson, fields = [] }: CaseColumns): readonly Column<TestCaseRow>[] => [
  {
    id: 'id',
    head: 'ID',
    width: 76,
    isSortable: true,
    render: ({ id }) => <span className={styles.id}>{id}</span>,
  },
  {
    id: 'title',
    head: 'Title',
    isSortable: true,
    render: ({ id, title }) => (
      <span title={title}>
        {unsentIds.has(id) && <span className={styles.unsent}>Not saved </span>}
        {title}
      </span>
    ),
  },
  {
    id: 'glyph',
    head: 'Priority as bars',
    isHeadHidden: true,
    width: 14,
    render: ({ priority }) => <PriorityGlyph priority={priority} />,
  },
  {
    id: 'priority',
    head: 'Priority',
    width: 60,
    isSortable: true,
    isOptional: true,
    hiddenBelow: 620,
    render: ({ priority }) => priorityNames[priority],
  },
  {
    id: 'type',
    head: 'Type',
    width: 92,
    isOptional: true,
    hiddenBelow: 860,
    render: ({ type }) => <span className={styles.muted}>{typeNames[type]}</span>,
  },
  {
    id: 'tags',
    head: 'Tags',
    width: 140,
    isOptional: true,
    hiddenBelow: 740,
    render: ({ tags }) => (
      <span className={styles.muted} title={tags.join(', ')}>
        {tags.join(', ')}
      </span>
    ),
  },
  {
    id: 'owner',
    head: 'Owner',
    width: 96,
    isOptional: true,
    hiddenBelow: 860,
    render: ({ owner_id: id }) =>
      typeof id === 'string' && (
        <span className={styles.muted} title={getPerson(id)}>
          {getPerson(id)}
        </span>
      ),
  },
  {
    id: 'estimate',
    head: 'Estimate',
    width: 72,
    align: 'end',
    isOptional: true,
    hiddenBelow: 1000,
    render: ({ estimate = null }) => <span className={styles.muted}>{formatEstimate(estimate)}</span>,
  },
  ...fields.map((field): Column<TestCaseRow> => ({
    id: FIELD_COLUMN + field.key,
    head: field.name,
    width: field.type === 'number' || field.type === 'checkbox' ? 72 : 104,
    ...(field.type === 'number' ? { align: 'end' } : {}),
    isSortable: isSortable(field),
    hiddenBelow: 740,
    render({ fields: values }) {
      const text = formatFieldValue(field, values?.[field.key], getPerson)
      return (
        <span className={styles.muted} title={text}>
          {text}
        </span>
      )
    },
  })),
  {
    id: 'history',
    head: 'Last results',
    width: 72,
    isOptional: true,
    render: ({ id }) => (
      <HistoryStrip
        statuses={histories
          .get(id)
          ?.map(({ status }) => status)
          .toReversed()}
      />
    ),
  },
  {
    id: 'updated',
    head: 'Updated',
    width: 64,
    align: 'end',
    isSortable: true,
    isOptional: true,
    hiddenBelow: 1000,
    render: ({ updated_at }) => (
      <span className={styles.muted}>
        <Time at={updated_at} />
      </span>
    ),
  },
]
