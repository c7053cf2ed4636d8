import type { Static } from '@caseward/contract/static'
import { type TSchema, Type } from 'typebox'

/** A setting of the service. */
export interface Setting<S extends TSchema, D> {
  /** The environment variable. */
  env: string
  schema: S
  default: D
  doc: string
  /** Other spellings of values, such as `true` for `1`. */
  aliases?: ReadonlyMap<string, string>
  /** A secret value is never shown in messages or logs, and can be read from a file that `<env>_FILE` names. */
  isSecret?: boolean
}

/** Defines a setting: the types of its value and its default are kept. */
export const defineSetting = <S extends TSchema, const D extends Static<S> | null>(
  definition: Setting<S, D>,
): Setting<S, D> => definition

/** An address on the web. */
export const url = Type.String({
  pattern: '^https?://[^\\s]+$',
  format: 'url',
  description: 'an http:// or https:// URL',
})

/** For settings that are 1 or 0. */
export const booleanAliases = new Map([
  ['true', '1'],
  ['false', '0'],
])
