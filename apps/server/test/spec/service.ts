import type { Requirements } from './requirement.ts'

/** The introduction, and what the service does. */
export const service: Requirements = {
  'every-path-starts-with-v1': 'every path starts with /v1',
  'announced-endpoints-decided-they-are-there-like': 'announced endpoints: they exist like the others (our choice)',
  'stores-projects': 'stores projects',
  'stores-test-cases-inside-projects-with-steps': 'stores test cases inside projects, with steps',
  'stores-test-runs': 'stores test runs',
  'stores-one-result-for-each-test-case-in-a-run': 'stores one result for each test case in a run',
  'stores-milestones-that-runs-can-be-linked-to': 'stores milestones that runs can be linked to',
  'stores-members-with-roles': 'stores members with roles',
  'results-are-pushed-as-json-or-as-junit-xml': 'results are pushed as JSON or as JUnit XML',
  'who-reports-from-a-suite-calls-the-ci-upload': 'reporters use the CI upload',
  'a-token-and-a-run-id-come-from-service_token':
    'the token and the run id are read from SERVICE_TOKEN and SERVICE_RUN_ID',
}
