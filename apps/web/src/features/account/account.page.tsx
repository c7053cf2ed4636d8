import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useParams } from 'react-router'

import { queries } from '../../api.ts'
import { ACCOUNT_PAGES, type AccountPage as Page, type HelpPageName, paths } from '../../paths.ts'
import { PageHeading } from '../../ui/page-heading.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import styles from '../../ui/form-page.module.css'
import { DeleteAccountSection } from './delete-account-section.tsx'
import { EmailSection } from './email-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { ReviewSection } from './review-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TokensSection } from './tokens-section.tsx'

const labels: Readonly<Record<Page, string>> = {
  profile: 'Profile',
  password: 'Password',
  sessions: 'Sessions',
  tokens: 'Tokens',
  keys: 'Settings',
  review: 'Review',
}

const helpPages: Readonly<Record<Page, HelpPageName>> = {
  profile: 'account',
  password: 'second-factors',
  sessions: 'account',
  tokens: 'roles',
  keys: 'keys',
  review: 'account',
}

/** `/account/:page`: what belongs to the user, and to this browser. */
export function AccountPage() {
  const { page: name } = useParams()
  const { data: me } = useQuery(queries.me())
  if (name === undefined) return <Navigate to={paths.account()} replace />
  const page = ACCOUNT_PAGES.find((known) => known === name)
  if (page === undefined) return <NotFoundPage />
  if (me === undefined) return null
  // Only after somebody else may have used the account.
  const hasReview = me.review_since !== null || page === 'review'
  const shownPages = ACCOUNT_PAGES.filter((known) => known !== 'review' || hasReview)
  const sections: Readonly<Record<Page, ReactNode>> = {
    profile: (
      <>
        <ProfileSection me={me} />
        <EmailSection email={me.email} />
        <DeleteAccountSection me={me} />
      </>
    ),
    password: <PasswordSection me={me} />,
    sessions: <SessionsSection />,
    tokens: <TokensSection />,
    keys: <KeysSection />,
    review: <ReviewSection me={me} />,
  }
  return (
    <main className={styles.page}>
      <title>{`${labels[page]} · Account · Caseward`}</title>
      <PageHeading title="Account" help={helpPages[page]} />
      <TabLinks
        label="Account"
        tabs={shownPages.map((known) => ({
          to: paths.account(known),
          label: labels[known],
          isCurrent: known === page,
        }))}
      />
      <section className={styles.section} aria-label={labels[page]}>
        {sections[page]}
      </section>
    </main>
  )
}
