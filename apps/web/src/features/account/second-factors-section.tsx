import type { SecondFactor, SecondFactors } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { findPasskeyObstacle } from '../../passkeys.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Time } from '../../ui/time.tsx'
import { secondFactorsQuery } from './use-second-factors.ts'

const AddPasskeyDialog = lazyPart(async () => (await import('./add-passkey-dialog.tsx')).AddPasskeyDialog, {
  isDialog: true,
})
const SetUpTotpDialog = lazyPart(async () => (await import('./set-up-totp-dialog.tsx')).SetUpTotpDialog, {
  isDialog: true,
})
const RemoveFactorDialog = lazyPart(async () => (await import('./remove-factor-dialog.tsx')).RemoveFactorDialog, {
  isDialog: true,
})
const RenewCodesDialog = lazyPart(async () => (await import('./renew-codes-dialog.tsx')).RenewCodesDialog, {
  isDialog: true,
})

/** From which number of recovery codes on the user is warned. */
const FEW_CODES = 3

type Opened = 'passkey' | 'totp' | 'renew' | SecondFactor | null

/** The second factors of the user's account. */
export function SecondFactorsSection() {
  const query = useQuery(secondFactorsQuery())
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  const count = query.data?.factors.length ?? 0
  return (
    <div className={styles.part}>
      <h2>Two-factor authentication</h2>
      <LoadedPart query={query} noun="second factors">
        {(data) => <FactorList data={data} onOpen={setOpened} />}
      </LoadedPart>
      {opened === 'passkey' && <AddPasskeyDialog onClose={close} />}
      {opened === 'totp' && <SetUpTotpDialog onClose={close} />}
      {opened === 'renew' && <RenewCodesDialog onClose={close} />}
      {opened !== null && typeof opened === 'object' && (
        <RemoveFactorDialog factor={opened} isLast={count === 1} onClose={close} />
      )}
    </div>
  )
}

interface FactorListProps {
  data: SecondFactors
  onOpen: (opened: Opened) => void
}

function FactorList({ data: { factors, recovery_code_count: left }, onOpen }: FactorListProps) {
  const isOn = factors.length > 0
  const obstacle = findPasskeyObstacle()
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.muted}>
          {isOn
            ? 'It is on: sign-in with your password also asks for one of these.'
            : 'It is off. With it, a stolen password alone is not enough to sign in: you also need a passkey, or a code of an app on your phone.'}
        </p>
        <div className={styles.buttons}>
          {obstacle === null && (
            <Button onPointerEnter={AddPasskeyDialog.preload} onClick={() => onOpen('passkey')}>
              Add passkey
            </Button>
          )}
          <Button onPointerEnter={SetUpTotpDialog.preload} onClick={() => onOpen('totp')}>
            Add authenticator app
          </Button>
        </div>
      </div>
      {obstacle !== null && <p className={styles.muted}>{obstacle}</p>}
      {isOn && (
        <ul className={styles.list}>
          {factors.map((factor) => (
            <FactorItem key={factor.id} factor={factor} onRemove={() => onOpen(factor)} />
          ))}
        </ul>
      )}
      {isOn && (
        <div className={styles.bar}>
          <p className={styles.muted}>
            Recovery codes: {formatNumberOf(left, 'code')} left. Each works once in place of your second factor.
          </p>
          <Button onPointerEnter={RenewCodesDialog.preload} onClick={() => onOpen('renew')}>
            New recovery codes
          </Button>
        </div>
      )}
      {isOn && left <= FEW_CODES && (
        <Banner tone="warning">
          {left === 0
            ? 'You have no recovery codes left.'
            : `You have only ${formatNumberOf(left, 'recovery code')} left.`}{' '}
          If you lose your device then, only an administrator can let you in again. Make new ones.
        </Banner>
      )}
    </>
  )
}

function FactorItem({
  factor: { kind, name, created_at, last_used_at },
  onRemove,
}: {
  factor: SecondFactor
  onRemove: () => void
}) {
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <p className={styles.name}>{name}</p>
        <p className={styles.muted}>
          {kind === 'totp' ? 'Authenticator app' : 'Passkey'} · added <Time at={created_at} isInText /> ·{' '}
          {last_used_at === null ? (
            'not used yet'
          ) : (
            <>
              last used <Time at={last_used_at} isInText />
            </>
          )}
        </p>
      </div>
      <Button
        variant="danger"
        onPointerEnter={RemoveFactorDialog.preload}
        onClick={onRemove}
        aria-label={`Remove ${name}`}
      >
        Remove
      </Button>
    </li>
  )
}
