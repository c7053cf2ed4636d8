import type { Connection } from '@caseward/embedded-postgres'
import fastify from 'fastify'
import pg from 'pg'

/*
 * The bare handlers that reads are compared with: Fastify, one prepared statement, no authentication, no permission,
 * no validation, no rate limit, no log. With `/js/…`, JavaScript decodes the rows and serializes them by a response schema.
 * With `/pg/…`, PostgreSQL builds the JSON, and its text is sent as it is.
 */

const pool = new pg.Pool({ ...(JSON.parse(process.env['CONNECTION'] ?? '{}') as Connection), max: 10 })
const app = fastify()

const text = { type: 'string' }
const nullable = { type: ['string', 'null'] }
const integer = { type: 'integer' }
const page = (properties: object) => ({
  response: {
    200: {
      type: 'object',
      properties: {
        data: { type: 'array', items: { type: 'object', properties } },
        meta: { type: 'object', properties: { total: integer } },
      },
    },
  },
})
const single = (properties: object) => ({
  response: { 200: { type: 'object', properties: { data: { type: 'object', properties } } } },
})
const caseFields = {
  id: text,
  title: text,
  folder_id: nullable,
  priority: text,
  type: text,
  precondition: text,
  steps: { type: 'array', items: { type: 'object', properties: { position: integer, action: text, expected: text } } },
  expected_result: text,
  created_at: { type: 'string', format: 'date-time' },
  updated_at: { type: 'string', format: 'date-time' },
}

const { id, title, folder_id, priority, type, updated_at } = caseFields
const tags = { type: 'array', items: text }
const rowFields = { id, title, folder_id, priority, type, tags, automation_keys: tags, updated_at }

interface Read {
  path: string
  schema: object
  sql: string
  isSingle?: boolean
}

const caseColumns = `'WEB-' || number as id, title, folder_id, priority, type, precondition, steps, expected_result, created_at, updated_at`
const reads: Read[] = [
  {
    path: 'results/:id',
    schema: page({
      id: text,
      test_case_id: nullable,
      test_case_title: text,
      status: text,
      note: nullable,
      elapsed: { type: ['integer', 'null'] },
      tested_by: nullable,
      tested_at: { type: ['string', 'null'], format: 'date-time' },
    }),
    sql: `select id, 'WEB-' || case_number as test_case_id, title as test_case_title, status, note, elapsed, tested_by, tested_at
      from test_results where project_id = (select project_id from runs where id = $1) and run_id = $1 order by id limit 20`,
  },
  {
    path: 'test-cases/:id',
    schema: page(caseFields),
    sql: `select ${caseColumns} from test_cases where project_id = $1 order by number limit 20`,
  },
  {
    path: 'test-case-rows/:id/:count',
    schema: page(rowFields),
    sql: `select 'WEB-' || number as id, title, folder_id, priority, type, tags, automation_keys, updated_at
      from test_cases where project_id = $1 order by number limit $2`,
  },
  {
    path: 'projects/:id',
    schema: page({
      id: text,
      name: text,
      prefix: text,
      test_case_count: integer,
      run_count: integer,
      created_at: { type: 'string', format: 'date-time' },
      updated_at: { type: 'string', format: 'date-time' },
    }),
    sql: `select p.id, p.name, p.prefix, p.test_case_count, p.run_count, p.created_at, p.updated_at
      from projects p join memberships m on m.project_id = p.id where m.user_id = $1 order by p.updated_at desc limit 20`,
  },
  {
    path: 'test-case/:id/:number',
    isSingle: true,
    schema: single({
      ...caseFields,
      tags,
      automation_keys: tags,
      created_by: nullable,
    }),
    sql: `select ${caseColumns}, tags, automation_keys, created_by from test_cases where project_id = $1 and number = $2`,
  },
]

for (const { path, schema, sql, isSingle } of reads) {
  const values = (params: unknown) => Object.values(params as Record<string, string>)
  app.get(`/js/${path}`, { schema }, async (request) => {
    const { rows } = await pool.query<object>({ name: `js ${path}`, text: sql, values: values(request.params) })
    return isSingle ? { data: rows[0] } : { data: rows, meta: { total: rows.length } }
  })
  const asJson = isSingle
    ? `select row_to_json(r)::text as json from (${sql}) r`
    : `select json_agg(r)::text as json from (${sql}) r`
  app.get(`/pg/${path}`, async (request, reply) => {
    const { rows } = await pool.query<{ json: string }>({
      name: `pg ${path}`,
      text: asJson,
      values: values(request.params),
    })
    return reply.type('application/json').send(`{"data":${rows[0]?.json}}`)
  })
}
app.get('/healthz', () => 'ok')
process.once('SIGTERM', () => process.exit())
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
