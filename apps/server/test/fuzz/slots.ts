import type { FuzzRequest } from './requests.ts'

/** What can be told of something that is there: its id, its secret. */
export type Thing = Record<string, string>

/** What requests can speak of. */
export interface World {
  projectId: string
  /** Things that are there throughout, by kind. */
  standing: Record<string, Thing[]>
  /** Makes one more, for requests that use it up. */
  make: Record<string, () => Promise<Thing>>
}

const slots = /\{\{(new )?(\w+)\.(\w+)(?::(\d+))?\}\}/g

/**
 * Fills the slots of a request: `{{run.id:2}}` is the id of the third run, `{{new run.id}}` that of one made for this
 * request. So a request is known before the world is, and comes out the same for the same seed.
 */
export async function fillSlots(request: FuzzRequest, world: World): Promise<FuzzRequest> {
  const { path, headers, payload } = request
  const made = new Map<string, Thing>()
  const all = [path, ...Object.values(headers), payload?.text ?? '']
  for (const [, isNew, kind = ''] of all.flatMap((text) => [...text.matchAll(slots)])) {
    if (isNew === undefined || made.has(kind)) continue
    const make = world.make[kind]
    if (make === undefined) throw new Error(`Nobody knows how to make: ${kind}`)
    made.set(kind, await make())
  }
  const fill = (text: string) =>
    text.replaceAll(slots, (slot, isNew: string | undefined, kind: string, field: string, index = '0') => {
      const things = world.standing[kind] ?? []
      const thing = isNew === undefined ? things[Number(index) % things.length] : made.get(kind)
      const value = thing?.[field]
      if (value === undefined) throw new Error(`Nothing fills ${slot}`)
      return value
    })
  return {
    ...request,
    path: fill(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    payload: payload && { ...payload, text: fill(payload.text) },
  }
}
