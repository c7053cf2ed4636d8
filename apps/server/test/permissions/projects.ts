import { insertToken } from '../../src/features/tokens/tokens.queries.ts'
import { makeFolder, makeTestCase } from '@caseward/test-support/factories'
import { type Prepare, table } from './table.ts'

const newProject: Prepare = () => ({ body: { name: 'Web shop', prefix: 'WEB' } })
const newName: Prepare = () => ({ body: { name: 'Web shop 2' } })
const newToken: Prepare = () => ({ body: { name: 'GitHub Actions' } })
const aCiToken: Prepare = async ({ server, project }) => {
  const input = { name: 'CI', access: 'write', expiresAt: null, createdBy: null } as const
  return { ids: { id: (await insertToken(server.db, { kind: 'ci', projectId: project.id }, input)).id } }
}

export const projects = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   200  200  200  200  200   200  200  200   200  200   GET    /v1/projects
  401  401  401  401   403t 201  201  201  201   403p 403p 403p  201  403o  POST   /v1/projects ${newProject}
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/projects/:pid
  401  401  401  401   403t 403r 403r 200  403m  403p 403p 403m  403r 403o  PATCH  /v1/projects/:pid ${newName}
  401  401  401  401   403t 403r 403r 200  403m  403p 403p 403m  403r 403o  DELETE /v1/projects/:pid
  401  401  401  401   200  403r 403r 200  403m  403p 403p 403m  403r 403r  GET    /v1/projects/:pid/tokens
  401  401  401  401   403t 403r 403r 201  403m  403p 403p 403m  403r 403o  POST   /v1/projects/:pid/tokens ${newToken}
  401  401  401  401   403t 403r 403r 204  403m  403p 403p 403m  403r 403o  DELETE /v1/projects/:pid/tokens/:id ${aCiToken}
`

const newFolder: Prepare = () => ({ body: { name: 'Checkout' } })
const aFolder: Prepare = async ({ server, project }) => ({ ids: { id: (await makeFolder(server, project)).id } })
const renamedFolder: Prepare = async (scene) => ({ ...(await aFolder(scene)), body: { name: 'Payment' } })

export const folders = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/projects/:pid/folders
  401  401  401  401   403t 403r 201  201  403m  403p 403p 403m  201  403o  POST   /v1/projects/:pid/folders ${newFolder}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  PATCH  /v1/projects/:pid/folders/:id ${renamedFolder}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  DELETE /v1/projects/:pid/folders/:id ${aFolder}
`

const newCase: Prepare = () => ({ body: { title: 'A customer pays by card' } })
const newCases: Prepare = () => ({ body: { test_cases: [{ title: 'Pays by card' }, { title: 'Pays by voucher' }] } })
const aCase: Prepare = async ({ server, project }) => ({ ids: { id: (await makeTestCase(server, project)).id } })
const retitledCase: Prepare = async (scene) => ({ ...(await aCase(scene)), body: { title: 'Pays by voucher' } })

export const testCases = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/projects/:pid/test-cases
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/projects/:pid/test-cases/:id ${aCase}
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/projects/:pid/test-cases/:id/results ${aCase}
  401  401  401  401   403t 403r 201  201  403m  403p 403p 403m  201  403o  POST   /v1/projects/:pid/test-cases ${newCase}
  401  401  401  401   403t 403r 201  201  403m  403p 403p 403m  201  403o  POST   /v1/projects/:pid/test-cases/bulk ${newCases}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  PATCH  /v1/projects/:pid/test-cases/:id ${retitledCase}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  PUT    /v1/projects/:pid/test-cases/:id ${retitledCase}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  DELETE /v1/projects/:pid/test-cases/:id ${aCase}
`
