import { completeAccountReview, getAccountReview, type Me, type ReviewItem } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'

import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Time } from '../../ui/time.tsx'

/** What somebody else may have left in the account: what has ended, and what only its user can judge. */
export function ReviewSection({ me }: { me: Me }) {
  const review = useQuery({
    queryKey: queryKeys.accountReview(),
    queryFn: async ({ signal }) => (await request(api, getAccountReview, { signal })).data.data,
  })
  const complete = useCompleteReview()
  if (me.review_since === null) {
    return (
      <>
        <p className={styles.muted}>There is nothing to check.</p>
        <SaveMessage mutation={complete} success="Checked" />
      </>
    )
  }
  return (
    <>
      <Banner tone="warning">
        Your account was secured <Time at={me.review_since} isInText />. Other sessions, pending invitations and a
        requested change of your email address have ended. Check what stays.
      </Banner>
      <p className={styles.muted}>
        Remove what you do not know. Personal tokens were revoked, too, except those that you have created since. What
        was done with your account in a project is in the audit log of the project, under Settings.
      </p>
      <LoadedPart query={review} noun="items to check">
        {({ items }) =>
          items.length === 0 ? (
            <p>Nothing is left: no second factors, links with single sign-on, CI tokens or invited members.</p>
          ) : (
            <ul className={styles.list}>
              {items.map((item) => (
                <Item key={`${item.kind} ${item.id} ${item.project?.id}`} item={item} />
              ))}
            </ul>
          )
        }
      </LoadedPart>
      {me.has_second_factor && (
        <p className={styles.muted}>
          Someone else may have seen your recovery codes, or created new ones:{' '}
          <Link to={paths.account('password')}>create new recovery codes</Link>, which end them.
        </p>
      )}
      <div className={styles.buttons}>
        <Button variant="primary" size="form" isBusy={complete.isPending} onClick={() => complete.mutate()}>
          I have checked everything
        </Button>
        <SaveMessage mutation={complete} success="Checked" />
      </div>
    </>
  )
}

function Item({ item }: { item: ReviewItem }) {
  const { name, project, created_at } = item
  const { noun, verb, to, place } = describeItem(item)
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <p className={styles.name}>{name}</p>
        <p className={styles.muted}>
          {noun}
          {project !== null && ` of ${project.name}`} · {verb} <Time at={created_at} isInText />
        </p>
      </div>
      <Link to={to} aria-label={`${place}: ${name}`}>
        {place}
      </Link>
    </li>
  )
}

/** What it is, what happened at its time, and where it can be removed. */
function describeItem({ kind, project }: ReviewItem): { noun: string; verb: string; to: string; place: string } {
  switch (kind) {
    case 'second_factor':
      return { noun: 'Second factor', verb: 'added', to: paths.account('password'), place: 'Open second factors' }
    case 'identity':
      return { noun: 'Single sign-on', verb: 'linked', to: paths.account('password'), place: 'Open single sign-on' }
    case 'ci_token':
      return {
        noun: 'CI token',
        verb: 'created',
        to: paths.settings(project?.id ?? '', 'tokens'),
        place: 'Open CI tokens',
      }
    case 'member':
      return {
        noun: 'Member',
        verb: 'invited by you',
        to: paths.members(project?.id ?? ''),
        place: 'Open members',
      }
    case 'instance_admin':
      return { noun: 'Administrator', verb: 'made one by you', to: paths.users(), place: 'Open users' }
  }
}

function useCompleteReview() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => request(api, completeAccountReview),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.me() }),
  })
}
