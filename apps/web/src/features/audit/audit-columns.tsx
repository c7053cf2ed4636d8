import type { AuditEntry } from '@caseward/client/endpoints'

import { formatExactTime } from '../../times.ts'
import type { Column } from '../../ui/table/columns.ts'
import { describeActor, describeEntry } from './audit-words.ts'
import styles from './audit.module.css'
import { formatEntryTime } from './format-entry-time.ts'

interface ColumnsContext {
  /** Whether all entries are of the project that is open. */
  readonly isInProject: boolean
  /** In milliseconds since 1970. */
  readonly now: number
}

/** The columns of the audit log. On narrow screens, the change stands over the time and the person. */
export const createAuditColumns = ({ isInProject, now }: ColumnsContext): Column<AuditEntry>[] => [
  {
    id: 'at',
    head: 'Time',
    width: 124,
    render: ({ at }) => (
      <time className={styles.muted} dateTime={at} title={formatExactTime(at)}>
        {formatEntryTime(at, now)}
      </time>
    ),
  },
  {
    id: 'actor',
    head: 'User',
    width: 176,
    render: ({ actor }) => (
      <span title={[describeActor(actor), actor.email].filter(Boolean).join(', ')}>
        {describeActor(actor)}
        {actor.token_name !== null && <span className={styles.token}>, by token</span>}
      </span>
    ),
  },
  {
    id: 'change',
    head: 'Change',
    render: (entry) => <span title={describeEntry(entry)}>{describeEntry(entry)}</span>,
  },
  ...(isInProject
    ? []
    : [
        {
          id: 'project',
          head: 'Project',
          width: 160,
          hiddenBelow: 740,
          render: ({ project }: AuditEntry) => (
            <span className={styles.muted} title={project?.name}>
              {project?.name}
            </span>
          ),
        } as const,
      ]),
  {
    id: 'address',
    head: 'IP address',
    width: 128,
    hiddenBelow: 1000,
    render: ({ address }) => (
      <span className={styles.muted} title={address ?? undefined}>
        {address}
      </span>
    ),
  },
]
