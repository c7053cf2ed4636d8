import type { ReactNode } from 'react'

import conflictStyles from '../test-cases/case-conflict.module.css'

/** A field of a version below its name. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={conflictStyles.field}>
    <h3 className={conflictStyles.name}>{title}</h3>
    {children}
  </section>
)
