const REPORTER = '--test-reporter'
const TO_STDOUT = '--test-reporter-destination=stdout'

/** Finds the scripts that run `node --test`, without those in watch mode, which are not reported. */
export const findTestScripts = (scripts: Readonly<Record<string, string>>) =>
  Object.entries(scripts).filter(
    ([, script]) => /\bnode\b.*\s--test(?=\s|$)/.test(script) && !/\s--watch\b/.test(script),
  )

/**
 * Adds Caseward's reporter to a script. Setting a reporter replaces the default one, so that one is added as well. With
 * two reporters, each needs a destination.
 */
export function addReporter(script: string): string {
  const hasReporter = script.includes(REPORTER)
  const hasDestination = script.includes(`${REPORTER}-destination`)
  const defaultReporter = hasReporter ? [] : [`${REPORTER}=spec`, TO_STDOUT]
  const missingDestination = hasReporter && !hasDestination ? [TO_STDOUT] : []
  const options = [...defaultReporter, `${REPORTER}=@caseward/node-test`, TO_STDOUT, ...missingDestination]
  return script.replace(/\s--test(?=\s|$)/, ` --test ${options.join(' ')}`)
}
