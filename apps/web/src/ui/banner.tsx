import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'

import styles from './banner.module.css'
import { classNames } from './class-names.ts'

interface BannerProps {
  /** `error`: something the user did is not stored. `warning`: it works in part. */
  tone?: 'info' | 'warning' | 'error'
  children: ReactNode
  /** Buttons that help. */
  actions?: ReactNode
}

const icons = { info: <Info />, warning: <TriangleAlert />, error: <CircleAlert /> }

/** One line over a page that explains its state, read by screen readers when it appears. */
export const Banner = ({ tone = 'info', children, actions }: BannerProps) => (
  <div className={classNames(styles.banner, styles[tone])} role={tone === 'error' ? 'alert' : 'status'}>
    {icons[tone]}
    <div className={styles.text}>{children}</div>
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </div>
)
