const REPORTER = '--test-reporter'
const TO_STDOUT = '--test-reporter-destination=stdout'

/** The scripts that run `node --test`, by name; not those that watch, of which nothing is reported. */
export const testScripts = (scripts: Readonly<Record<string, string>>) =>
  Object.entries(scripts).filter(
    ([, script]) => /\bnode\b.*\s--test(?=\s|$)/.test(script) && !/\s--watch\b/.test(script),
  )

/**
 * A script with Caseward's reporter in it. Naming a reporter does away with the one that Node has by itself, and of two
 * each needs a destination.
 */
export function withReporter(script: string): string {
  const others = script.includes(REPORTER) ? [] : [`${REPORTER}=spec`, TO_STDOUT]
  const lacking = script.includes(REPORTER) && !script.includes(`${REPORTER}-destination`) ? [TO_STDOUT] : []
  const options = [...others, `${REPORTER}=@caseward/node-test`, TO_STDOUT, ...lacking]
  return script.replace(/\s--test(?=\s|$)/, ` --test ${options.join(' ')}`)
}
