import styles from './logo.module.css'

/** The logo: a case with a check mark. Its name stands beside it. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg className={styles.logo} viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <rect x="2" y="2" width="20" height="20" rx="6" fill="currentColor" />
      <path
        className={styles.tick}
        d="m7.5 12.4 3 3 6-6.4"
        fill="none"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
