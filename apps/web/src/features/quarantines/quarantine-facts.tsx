import type { Quarantine } from '@caseward/client/endpoints'

import styles from '../../ui/form-page.module.css'
import { Time } from '../../ui/time.tsx'

/** Why a test is quarantined, who ends it, where it holds, and until when. */
export const QuarantineFacts = ({ quarantine }: { quarantine: Quarantine }) => {
  return (
    <div style={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <p>
        <strong className={styles.warning}>Quarantined</strong> until <Time at={quarantine.expires_at} isInText />:{' '}
        <span style={{ overflowWrap: 'anywhere' }}>{quarantine.reason}</span>
      </p>
      <p className={styles.muted}>
        <QuarantineScope quarantine={quarantine} />
      </p>
    </div>
  )
}

/** Who owns an entry, whether it was added automatically, where it holds, and its issue, in one line. */
export const QuarantineScope = ({ quarantine }: { quarantine: Quarantine }) => {
  const { owner_name: owner, branches, link, is_automatic: isAutomatic } = quarantine
  return (
    <>
      {owner === null ? 'Without an owner' : `Owner: ${owner}`}
      {isAutomatic && ' · automatic'}
      {branches.length > 0 && ` · only on ${branches.join(', ')}`}
      {link !== null && (
        <>
          {' · '}
          <a href={link} target="_blank" rel="noopener noreferrer nofollow">
            Issue
          </a>
        </>
      )}
    </>
  )
}
