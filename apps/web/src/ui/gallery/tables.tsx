import { useState } from 'react'

import { BulkBar } from '../bulk-bar.tsx'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { EmptyState } from '../empty-state.tsx'
import { HistoryStrip } from '../status/history-strip.tsx'
import { StatusGlyph } from '../status/status-glyph.tsx'
import { type Status, statuses } from '../status/statuses.ts'
import { ListBox } from '../list-box/list-box.tsx'
import type { Column, Sort } from '../table/columns.ts'
import { ColumnsMenu } from '../table/columns-menu.tsx'
import { type Selection, toggle } from '../table/selection.ts'
import { Table } from '../table/table.tsx'
import styles from './gallery.module.css'
import { Section } from './section.tsx'

interface Case {
  id: string
  title: string
  status: Status
  priority: string
  tags: string
  updated: string
  history: Status[]
}

const titles = [
  'A customer pays by card',
  'A guest pays by invoice',
  'An administrator refunds an order that was paid with two gift cards and a credit card, of which one has expired since, and the customer gets an email about each part of the refund with the reason that the administrator gave',
  'The basket survives a sign-in',
]
const cases: Case[] = Array.from({ length: 10_000 }, (_, index) => ({
  id: `WEB-${index + 1}`,
  title: titles[index % titles.length] ?? '',
  status: statuses[(index * 7) % statuses.length] ?? 'passed',
  priority: ['Critical', 'High', 'Medium', 'Low'][index % 4] ?? '',
  tags: index % 3 === 0 ? 'smoke, payment' : '',
  updated: `${(index % 50) + 1} min`,
  history: Array.from({ length: index % 12 }, (__, step) => statuses[(index + step * 3) % 3] ?? 'passed'),
}))

const columns: Column<Case>[] = [
  {
    id: 'status',
    head: 'Status',
    isHeadHidden: true,
    width: 14,
    isLeading: true,
    render: ({ status }) => <StatusGlyph status={status} />,
  },
  { id: 'id', head: 'ID', width: 76, isSortable: true, render: ({ id }) => <span className={styles.note}>{id}</span> },
  { id: 'title', head: 'Title', isSortable: true, render: ({ title }) => <span title={title}>{title}</span> },
  {
    id: 'priority',
    head: 'Priority',
    width: 72,
    isSortable: true,
    isOptional: true,
    hiddenBelow: 620,
    render: ({ priority }) => priority,
  },
  { id: 'tags', head: 'Tags', width: 120, isOptional: true, hiddenBelow: 740, render: ({ tags }) => tags },
  {
    id: 'history',
    head: 'Last results',
    width: 80,
    isOptional: true,
    render: ({ history }) => <HistoryStrip statuses={history} />,
  },
  {
    id: 'updated',
    head: 'Updated',
    width: 64,
    align: 'end',
    isSortable: true,
    isOptional: true,
    hiddenBelow: 1000,
    render: ({ updated }) => updated,
  },
]

const getId = ({ id }: Case) => id

export function TableSection() {
  const [selection, setSelection] = useState<Selection>(new Set(['WEB-2', 'WEB-3']))
  const [openId, setOpenId] = useState<string | null>('WEB-5')
  const [sort, setSort] = useState<Sort | null>({ column: 'id', direction: 'ascending' })
  const shared = { name: 'gallery', columns, getId, getLabel: getId, sort, onSort: setSort }
  return (
    <>
      <Section title="Table" isFlush>
        <div className={styles.padded}>
          <ColumnsMenu trigger={<Button>Columns</Button>} name="gallery" columns={columns} />
        </div>
        <div className={styles.table}>
          <Table
            {...shared}
            label="Test cases"
            rows={cases}
            selection={selection}
            onSelect={setSelection}
            openId={openId}
            onOpen={({ id }) => setOpenId(id)}
            empty={null}
          />
        </div>
        {selection.size > 0 && (
          <BulkBar count={selection.size} onClear={() => setSelection(new Set())}>
            <Button shortcut="M">Move</Button>
            <Button>Edit</Button>
            <Button>Tags</Button>
            <Button variant="danger">Delete</Button>
          </BulkBar>
        )}
      </Section>
      <Section title="Table, narrow" isFlush>
        <div className={classNames(styles.table, styles.short, styles.narrow)}>
          <Table
            {...shared}
            label="Test cases in a narrow window"
            rows={cases}
            selection={selection}
            onSelect={setSelection}
            empty={null}
          />
        </div>
      </Section>
      <Section title="List box" isFlush>
        <div className={classNames(styles.table, styles.short, styles.narrow)}>
          <ListBox
            label="Test cases to execute"
            rows={cases}
            getId={getId}
            currentId={openId}
            selection={selection}
            renderRow={({ id, title }) => `${id} ${title}`}
            onOpen={({ id }) => setOpenId(id)}
            onSelect={({ id }) => setSelection(toggle(selection, id))}
            empty={null}
          />
        </div>
      </Section>
      <Section title="Table without rows" isFlush>
        <div className={classNames(styles.table, styles.short)}>
          <Table
            {...shared}
            label="No test cases"
            rows={[]}
            empty={
              <EmptyState
                drawing="search"
                help={null}
                title="No case matches"
                actions={<Button>Clear filters</Button>}
              />
            }
          />
        </div>
      </Section>
    </>
  )
}
