import type { Requirements } from './requirement.ts'

export const authentication: Requirements = {
  'every-request-carries-authorization-bearer': 'every request carries Authorization: Bearer',
  'the-ci-upload-needs-a-ci-token': 'the CI upload needs a CI token',
  'a-ci-token-is-scoped-to-its-project': 'a CI token is scoped to its project',
  'a-ci-token-is-made-in-the-token-settings': 'a CI token is created in the token settings',
  'a-ci-token-must-have-write-access': 'a CI token must have write access',
  'inviting-is-for-admins-403-for-others': 'inviting is for admins, 403 for others',
  'changing-roles-is-for-admins-403-for-others': 'changing roles is for admins, 403 for others',
  'removing-members-is-for-admins-403-for-others': 'removing members is for admins, 403 for others',
  'eight-permissions-over-three-roles': 'eight permissions over three roles',
  'permission-view-test-cases-and-runs': 'permission: view test cases and runs',
  'permission-create-and-edit-test-cases': 'permission: create and edit test cases',
  'permission-execute-test-runs': 'permission: execute test runs',
  'permission-manage-milestones': 'permission: manage milestones',
  'permission-project-settings-delete-project': 'permission: project settings, delete project',
  'which-role-holds-what-decided': 'permissions of each role (our choice)',
  'issuance-lifetime-format-and-scopes-of-tokens': 'issuance, lifetime, format and scopes of tokens (our choice)',
}
