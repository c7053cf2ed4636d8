import type { Endpoint } from '@caseward/client'
import type { ForgetImportedPerson, JoinImportedPerson, ListImportedPeople } from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const url = '/v1/projects/:project_id/imported-people'

export const listImportedPeople: Endpoint<ListImportedPeople> = {
  method: 'GET',
  url,
  operationId: 'listImportedPeople',
  success: { 200: ['data[]'] },
}

export const joinImportedPerson: Endpoint<JoinImportedPerson> = {
  method: 'PATCH',
  url: `${url}/:person_id`,
  operationId: 'joinImportedPerson',
  success: { 200: ['data{}'] },
}

export const forgetImportedPerson: Endpoint<ForgetImportedPerson> = {
  method: 'DELETE',
  url: `${url}/:person_id`,
  operationId: 'forgetImportedPerson',
  success: { 204: null },
}
