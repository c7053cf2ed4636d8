import type { FuzzRequest } from './requests.ts'

/** The values of a resource that slots can refer to, such as its id and its secret. */
export type Resource = Record<string, string>

/** The resources that slots can refer to. */
export interface Fixture {
  projectId: string
  /** Resources that exist during all requests, by kind. */
  existing: Record<string, Resource[]>
  /** Creates one more, for requests that delete it or use it up. */
  create: Record<string, () => Promise<Resource>>
}

const slots = /\{\{(new )?(\w+)\.(\w+)(?::(\d+))?\}\}/g

/**
 * Fills the slots of a request: `{{run.id:2}}` is the id of the third run, `{{new run.id}}` that of a run that is
 * created for this request. Requests are generated before the fixture, so the same seed always generates the same
 * requests.
 */
export async function fillSlots(request: FuzzRequest, fixture: Fixture): Promise<FuzzRequest> {
  const { path, headers, payload } = request
  const created = new Map<string, Resource>()
  const texts = [path, ...Object.values(headers), payload?.text ?? '']
  for (const [, isNew, kind = ''] of texts.flatMap((text) => [...text.matchAll(slots)])) {
    if (isNew === undefined || created.has(kind)) continue
    const create = fixture.create[kind]
    if (create === undefined) throw new Error(`No factory creates this kind: ${kind}`)
    created.set(kind, await create())
  }
  const fill = (text: string) =>
    text.replaceAll(slots, (slot, isNew: string | undefined, kind: string, field: string, index = '0') => {
      const resources = fixture.existing[kind] ?? []
      const resource = isNew === undefined ? resources[Number(index) % resources.length] : created.get(kind)
      const value = resource?.[field]
      if (value === undefined) throw new Error(`No value for the slot ${slot}`)
      return value
    })
  return {
    ...request,
    path: fill(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    payload: payload && { ...payload, text: fill(payload.text) },
  }
}
