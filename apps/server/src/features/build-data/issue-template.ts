import { ISSUE_PLACES } from '@caseward/contract/insight-settings'

import { invalidFieldProblem } from '../../platform/http/problems.ts'

const FIELD = '/issue_template'

/**
 * Checks the address of a page that creates an issue.
 * @throws {Problem} 400 for one that browsers would not open, with a password, or whose places are not those that are filled
 */
export function checkIssueTemplate(template: string): void {
  const places = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const unknown = places.find((name) => !ISSUE_PLACES.some((place) => place === name))
  if (unknown !== undefined) {
    throw invalidFieldProblem(FIELD, `must not contain {${unknown}}: it may contain {${ISSUE_PLACES.join('}, {')}}`)
  }
  if (!places.includes('title')) throw invalidFieldProblem(FIELD, 'must contain {title}')
  const [first, second] = ['a', 'b'].map((text) => URL.parse(template.replaceAll(/\{[^{}]*\}/g, text)))
  if (!/^https?:\/\//i.test(template) || first === null || first === undefined || /\p{Cc}|\s/u.test(template)) {
    throw invalidFieldProblem(FIELD, 'must be an address that begins with http:// or https://')
  }
  if (first.username !== '' || first.password !== '') {
    throw invalidFieldProblem(
      FIELD,
      'must not contain a user name or password, which all members of the project could read',
    )
  }
  // A message of a failure must not decide which server is opened.
  if (first.origin !== second?.origin) throw invalidFieldProblem(FIELD, 'must have its places behind the host')
}
