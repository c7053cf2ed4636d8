import { cleanName } from '@caseward/matching/clean-name'
import { cutText } from '@caseward/matching/note'

const MAX_NAME = 255

/** A name as the service stores it. */
export const toStoredName = (name: string, fallback: string): string =>
  cutText(cleanName(name).replaceAll(/\s+/g, ' ').trim(), MAX_NAME).trim() || fallback
