import { type Requirement, testsIn } from './requirement.ts'

const everyRoute = testsIn('src/http/surface.test.ts', 'every route of the API')
const operation = testsIn('src/http/operations.test.ts', '%s %s')
const paths = testsIn('src/http/requests.test.ts', 'paths')
const bodies = testsIn('src/http/requests.test.ts', 'bodies')
const queries = testsIn('src/http/requests.test.ts', 'queries')

export const versioning: readonly Requirement[] = [
  [
    'the prefix /v1 is on every endpoint',
    everyRoute('declares a permission, asks for a token unless it is public, and lists 401 and 429 among its answers'),
    operation('is there: without a token it is 401, not 404'),
    paths('that do not exist, and methods that are not taken, are 404 for anybody'),
  ],
  [
    'compatibility: decided, a newer client works with an older server',
    bodies('may hold fields that the service does not know, however deep'),
    queries('with ?%s are taken: what is not known is ignored'),
  ],
]
