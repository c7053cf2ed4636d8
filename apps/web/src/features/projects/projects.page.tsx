import styles from './projects.module.css'

/** `/`: the projects of the user. */
export function ProjectsPage() {
  return (
    <main className={styles.page}>
      <title>Projects · Caseward</title>
      <h1>Projects</h1>
    </main>
  )
}
