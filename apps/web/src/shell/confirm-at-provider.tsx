import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

import { paths } from '../paths.ts'
import buttonLook from '../ui/button.module.css'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import styles from './confirmation-dialog.module.css'

/** Opens the sign-in provider in another tab, so that this one keeps what was typed. */
export function ConfirmAtProvider({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { pathname, search } = useLocation()
  const [isOpened, setIsOpened] = useState(false)
  useEffect(() => {
    if (!isOpened) return undefined
    // The request is sent again; if the user has not confirmed, the server says so, and this dialog comes back.
    const onFocus = () => onAnswer(true)
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [isOpened, onAnswer])
  return (
    <div className={styles.form}>
      <p>
        Your sign-in provider asks who you are, in a new tab. Come back to this tab afterwards: it goes on where you
        were.
      </p>
      <div className={styles.buttons}>
        <Button size="form" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        {isOpened && (
          <Button size="form" onClick={() => onAnswer(true)}>
            Go on
          </Button>
        )}
        <a
          className={classNames(buttonLook.button, buttonLook.primary, buttonLook.form)}
          href={paths.confirmAtProvider(pathname + search)}
          target="_blank"
          rel="noreferrer"
          onClick={() => setIsOpened(true)}
        >
          Confirm in a new tab
        </a>
      </div>
    </div>
  )
}
