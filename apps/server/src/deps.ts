import type { Database } from './database/connect.ts'
import type { Places } from './http/places.ts'
import type { Principals } from './http/principals.ts'

/** What every feature is given. */
export interface Deps {
  db: Database
  principals: Principals
  places: Places
}
