import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import { Link } from 'react-router'

import { type HelpPageName, paths } from '../paths.ts'
import styles from './help-link.module.css'

const titles: Readonly<Record<HelpPageName, string>> = {
  'first-project': 'Your first project',
  'custom-fields': 'Custom fields',
  'shared-steps': 'Shared steps',
  'writing-test-cases': 'Writing test cases',
  import: 'Import and export',
  'running-tests': 'Running tests',
  ci: 'Results from CI in five minutes',
  failures: 'Failures and flaky tests',
  insight: 'Insight',
  'moving-in': 'Moving from another tool',
  milestones: 'Milestones',
  sharing: 'Sharing a report',
  roles: 'People and roles',
  account: 'Your account',
  'second-factors': 'Second factors',
  keys: 'Keys',
  administration: 'Administration',
  backup: 'Backup',
}

/** Leads to the page of the user guide that explains what is here. */
export const HelpLink = ({ page }: { page: HelpPageName }) => (
  <Link className={styles.link} to={paths.help(page)}>
    <CircleQuestionMark className={styles.icon} />
    {titles[page]}
  </Link>
)
