import type { Endpoint } from '@caseward/client'
import type {
  ApplyImport,
  CancelImport,
  CreateImport,
  GetImport,
  ListImportRecords,
  ListImports,
  PlanImport,
  ResolveConflicts,
  ResumeImport,
  UndoImport,
} from '@caseward/client/endpoints'

/* The endpoints of the client, as they are there: that module is a part of what every page loads. A test compares them. */

const listUrl = '/v1/projects/:project_id/imports'
const url = `${listUrl}/:import_id`

export const listImports: Endpoint<ListImports> = {
  method: 'GET',
  url: listUrl,
  operationId: 'listImports',
  success: { 200: ['data[]', 'meta{}'] },
}

export const createImport: Endpoint<CreateImport> = {
  method: 'POST',
  url: listUrl,
  operationId: 'createImport',
  acceptsKey: true,
  success: { 201: ['data{}'] },
}

export const getImport: Endpoint<GetImport> = {
  method: 'GET',
  url: url,
  operationId: 'getImport',
  success: { 200: ['data{}'] },
}

export const listImportRecords: Endpoint<ListImportRecords> = {
  method: 'GET',
  url: `${url}/records`,
  operationId: 'listImportRecords',
  success: { 200: ['data[]', 'meta{}'] },
}

export const planImport: Endpoint<PlanImport> = {
  method: 'POST',
  url: `${url}/plan`,
  operationId: 'planImport',
  acceptsKey: true,
  success: { 202: ['data{}'] },
}

export const applyImport: Endpoint<ApplyImport> = {
  method: 'POST',
  url: `${url}/apply`,
  operationId: 'applyImport',
  acceptsKey: true,
  success: { 202: ['data{}'] },
}

export const resolveConflicts: Endpoint<ResolveConflicts> = {
  method: 'POST',
  url: `${url}/conflicts`,
  operationId: 'resolveConflicts',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}

export const cancelImport: Endpoint<CancelImport> = {
  method: 'POST',
  url: `${url}/cancel`,
  operationId: 'cancelImport',
  acceptsKey: true,
  success: { 202: ['data{}'] },
}

export const resumeImport: Endpoint<ResumeImport> = {
  method: 'POST',
  url: `${url}/resume`,
  operationId: 'resumeImport',
  acceptsKey: true,
  success: { 202: ['data{}'] },
}

export const undoImport: Endpoint<UndoImport> = {
  method: 'POST',
  url: `${url}/undo`,
  operationId: 'undoImport',
  acceptsKey: true,
  success: { 202: ['data{}'] },
}
