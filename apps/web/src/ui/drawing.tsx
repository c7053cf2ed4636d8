import type { ReactNode } from 'react'

import styles from './drawing.module.css'

/** Line drawings in one style, 120 × 88: what belongs to the place that is empty. */
const drawings = {
  cases: (
    <>
      <rect x="30" y="8" width="60" height="72" rx="6" />
      <path d="M48 8V4h24v4M58 28h20M58 44h20M58 60h12" />
      <path className={styles.accent} d="m41 27 3 3 6-6m-9 19 3 3 6-6" />
      <rect x="41" y="56" width="8" height="8" rx="2" />
    </>
  ),
  runs: (
    <>
      <rect x="14" y="14" width="92" height="60" rx="6" />
      <path d="M14 28h92M24 21h.01M31 21h.01M38 21h.01M28 60h64" />
      <path className={styles.accent} d="M28 60h38" />
      <path d="m54 37 12 7-12 7z" />
    </>
  ),
  search: (
    <>
      <path d="M18 24h40M18 40h26M18 56h30M18 72h54" />
      <circle cx="74" cy="42" r="18" />
      <path className={styles.accent} d="m88 56 14 14" />
    </>
  ),
  projects: (
    <>
      <path d="M16 30V18a6 6 0 0 1 6-6h22l8 10h46a6 6 0 0 1 6 6v42a6 6 0 0 1-6 6H22a6 6 0 0 1-6-6V30h88" />
      <path className={styles.accent} d="m50 52 8 8 14-15" />
    </>
  ),
  milestones: (
    <>
      <path d="M14 70h92M34 70V14m0 4h38l-8 11 8 11H34" />
      <path className={styles.accent} d="M66 62a8 8 0 1 1 0 16 8 8 0 0 1 0-16z" />
    </>
  ),
  tokens: (
    <>
      <circle cx="42" cy="44" r="20" />
      <circle className={styles.accent} cx="42" cy="44" r="7" />
      <path d="M62 44h44v16M92 44v10" />
    </>
  ),
  lost: (
    <>
      <path d="M14 72c20-2 16-24 34-26s18 16 34 8 6-26 24-32" strokeDasharray="2 6" />
      <circle cx="14" cy="72" r="4" />
      <path className={styles.accent} d="m98 14 12 12m0-12L98 26" />
    </>
  ),
} as const satisfies Record<string, ReactNode>

export type DrawingName = keyof typeof drawings

/** A muted line drawing, hidden from screen readers. */
export const Drawing = ({ name }: { name: DrawingName }) => (
  <svg className={styles.drawing} viewBox="0 0 120 88" width={120} height={88} aria-hidden="true">
    {drawings[name]}
  </svg>
)
