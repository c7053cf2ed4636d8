import type { Endpoint } from '@caseward/client'

interface RunFileParams {
  run_id: string
  sha256: string
}

export const sendRunFile = {
  method: 'PUT',
  url: '/v1/runs/:run_id/files/:sha256',
  operationId: 'sendRunFile',
  success: { 200: ['data{}'], 201: ['data{}'], 202: ['data{}'] },
} as const satisfies Endpoint as Endpoint<{
  params: RunFileParams
  body: object
  success: { 200: { data: object }; 201: { data: object }; 202: { data: object } }
}>

export const listMissingFiles = {
  method: 'GET',
  url: '/v1/runs/:run_id/files/missing',
  operationId: 'listMissingFiles',
  success: { 200: ['data[]', 'meta{}'] },
} as const satisfies Endpoint as Endpoint<{
  params: { run_id: string }
  query: { after?: string }
  success: { 200: { data: { sha256: string; byte_count: number }[]; meta: { next_after: string | null } } }
}>
