import { endOtherSessions, revokeSession, type Session } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, queries } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatExactTime } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'

/** Where the user is signed in. */
export function SessionsSection() {
  const sessions = useQuery(queries.sessions())
  const end = useEndSessions()
  const others = sessions.data?.filter(({ current }) => !current) ?? []
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.muted}>
          The browsers in which you are signed in. End those that you do not know: a change of your email address that
          was requested there ends, too.
        </p>
        {others.length > 0 && (
          <Button onClick={() => end.mutate(null)} isBusy={end.isPending}>
            End all others
          </Button>
        )}
      </div>
      <LoadedPart query={sessions} noun="sessions">
        {(items) => (
          <ul className={styles.list}>
            {items
              .toSorted((a, b) => Number(b.current) - Number(a.current))
              .map((session) => (
                <SessionItem key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
              ))}
          </ul>
        )}
      </LoadedPart>
      <SaveMessage mutation={end} success="Ended" />
    </>
  )
}

function SessionItem({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { current, user_agent, browser, created_at, last_seen_at } = session
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <p className={styles.name} title={user_agent}>
          {browser}
          {current && <span className={styles.mark}>this one</span>}
        </p>
        <p className={styles.muted}>
          Signed in <Time at={created_at} isInText /> · last used <Time at={last_seen_at} isInText />
        </p>
      </div>
      {!current && (
        <Button onClick={onEnd} aria-label={`End session: ${browser}, signed in ${formatExactTime(created_at)}`}>
          End
        </Button>
      )}
    </li>
  )
}

/** Ends one session, or with null all but this one. */
function useEndSessions() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(session_id: string | null) {
      if (session_id === null) await request(api, endOtherSessions)
      else await request(api, revokeSession, { params: { session_id } })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.sessions() }),
  })
}
