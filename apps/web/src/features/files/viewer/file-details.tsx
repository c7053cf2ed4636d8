import { useQuery } from '@tanstack/react-query'

import { queries } from '../../../api.ts'
import { Time } from '../../../ui/time.tsx'
import { describePart, formatBytes, kindNames } from '../file-words.ts'
import type { OpenableFile } from '../shown-file.ts'
import styles from './viewer.module.css'

/** What is known of a file. */
export function FileDetails({ projectId, file }: { projectId: string; file: OpenableFile }) {
  const { data: people } = useQuery(queries.people(projectId))
  const author = file.created_by === null ? 'CI' : people?.find(({ id }) => id === file.created_by)?.name
  const facts = [
    ['Name', file.name],
    ['Kind', kindNames[file.kind]],
    ['Size', `${formatBytes(file.byte_count)} (${file.byte_count.toLocaleString('en')} bytes)`],
    ['Pixels', file.width === null ? null : `${file.width} × ${file.height}`],
    ['Belongs to', describePart(file)],
    ['Attached by', author ?? 'A former member'],
    ['SHA-256', file.sha256],
  ] as const
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <aside className={styles.details} aria-label="Details" tabIndex={0}>
      <dl>
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name} className={styles.fact}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        <div className={styles.fact}>
          <dt>Attached</dt>
          <dd>
            <Time at={file.created_at} />
          </dd>
        </div>
      </dl>
    </aside>
  )
}
