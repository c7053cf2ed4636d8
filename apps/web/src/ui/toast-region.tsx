import { Toast as Base } from '@base-ui/react/toast'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'

import { Button } from './button.tsx'
import styles from './toast-region.module.css'
import { showWaitingToasts, toastManager } from './toast.ts'

/** The place of the toasts. Once in the app. */
export function ToastRegion() {
  useEffect(showWaitingToasts, [])
  return (
    <Base.Provider toastManager={toastManager} limit={3}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function Toasts() {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className={styles.toast}>
      <Base.Title className={styles.message} render={<p />} />
      {toast.actionProps !== undefined && (
        <Base.Action className={styles.undo} render={<Button variant="quiet" shortcut="$mod+Z" />} />
      )}
      <Base.Close className={styles.close} aria-label="Dismiss">
        <X />
      </Base.Close>
    </Base.Root>
  ))
}
