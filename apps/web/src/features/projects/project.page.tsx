import { Navigate, useParams } from 'react-router'

import { paths } from '../../paths.ts'

/** `/projects/:projectId`: opens the test cases. */
export function ProjectPage() {
  const { projectId = '' } = useParams()
  return <Navigate to={paths.cases(projectId)} replace />
}
