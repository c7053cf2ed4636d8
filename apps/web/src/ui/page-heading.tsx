import type { HelpPageName } from '../paths.ts'
import { classNames } from './class-names.ts'
import { HelpLink } from './help-link.tsx'
import styles from './page-heading.module.css'

interface PageHeadingProps {
  title: string
  /** The page of the user guide about what is here. */
  help: HelpPageName
  className?: string | undefined
}

/** The heading of a page with settings, with the way to the user guide. */
export const PageHeading = ({ title, help, className }: PageHeadingProps) => (
  <div className={classNames(styles.heading, className)}>
    <h1>{title}</h1>
    <HelpLink page={help} />
  </div>
)
