import { isRaw, type Raw, readString } from './formats/caseward/read-values.ts'
import { readBundle } from './formats/caseward/read-bundle.ts'
import { withPictures } from './formats/answer-pictures.ts'
import { Answers } from './formats/answers.ts'
import { ANSWER_FORMATS } from './formats/answer-formats.ts'
import type { Recognized } from './formats/format.ts'
import { ImportProblem } from './import-problem.ts'
import { type ImportFile, readBytes } from './input/import-file.ts'

/** The manifest of a bundle is small. */
const MANIFEST_BYTES = 65_536

/** Recognizes bundles of Caseward, and what its command has read by the API of another tool, by their manifest. */
export async function recognizeBundle(files: ReadonlyMap<string, ImportFile>): Promise<Recognized | null> {
  const manifest = files.get('manifest.json')
  if (manifest === undefined || manifest.byteCount > MANIFEST_BYTES) return null
  const json = await readManifest(manifest)
  const format = json === null ? '' : readString(json, 'format')
  if (json === null || (format !== 'caseward-bundle' && format !== 'caseward-answers')) return null
  if (typeof json['version'] === 'number' && json['version'] > 1) {
    throw new ImportProblem(
      'unknown_format',
      'The bundle was exported by a newer version of Caseward. Update this server.',
    )
  }
  return format === 'caseward-bundle' ? recognizeOwn(files) : recognizeAnswers(files, json)
}

async function readManifest(manifest: ImportFile): Promise<Raw | null> {
  try {
    const json: unknown = JSON.parse(Buffer.from(await readBytes(manifest, 0, MANIFEST_BYTES)).toString())
    return isRaw(json) ? json : null
  } catch (error) {
    if (error instanceof ImportProblem) throw error
    return null
  }
}

function recognizeOwn(files: ReadonlyMap<string, ImportFile>): Recognized {
  const records = files.get('records.ndjson')
  if (records === undefined) {
    throw new ImportProblem('unreadable_file', 'The bundle has no records.ndjson. Export it again.')
  }
  return { system: 'caseward', format: 'caseward-bundle', read: (context) => readBundle(records, files, context) }
}

function recognizeAnswers(files: ReadonlyMap<string, ImportFile>, manifest: Raw): Recognized {
  const system = readString(manifest, 'system')
  const found = ANSWER_FORMATS.find((format) => format.system === system)
  if (found === undefined) {
    throw new ImportProblem(
      'unknown_format',
      `The bundle has answers of a tool that is not known: ${system.slice(0, 60)}. Update this server.`,
    )
  }
  return {
    system: found.system,
    format: `${system}-api`,
    async *read(context) {
      const answers = new Answers(found.system, files, manifest)
      await answers.countMissing(context.losses)
      yield* withPictures(found.read(answers, context), answers, files)
      await answers.countUnread(context.losses)
    },
  }
}
