import { DockerfileParser } from 'dockerfile-ast'

/** Replaces `$NAME` and `${NAME}`. */
const expand = (text, variables) =>
  text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, bare) => variables[braced ?? bare] ?? '')

/** In these, Docker replaces variables; in commands, the shell does. */
const EXPANDED = new Set(['FROM', 'COPY', 'ENV', 'LABEL', 'WORKDIR', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL'])

/**
 * Reads the stages of a Dockerfile.
 * @param predefined variables that BuildKit defines, such as `TARGETARCH`
 * @returns stages with `name`, `base` and `steps`: keyword, flags, arguments and the whole command of each instruction
 */
export function readDockerfile(text, predefined) {
  const variables = { ...predefined }
  const stages = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword()
    const step = readStep(instruction, EXPANDED.has(keyword) ? (value) => expand(value, variables) : (value) => value)
    if (keyword === 'FROM') {
      const [base, , name = String(stages.length)] = step.args
      stages.push({ name, base, steps: [] })
      continue
    }
    if (keyword === 'ARG') {
      const [name, value] = step.args[0].split('=')
      variables[name] ??= value ?? ''
    }
    if (keyword === 'ENV') {
      for (const [name, value] of step.pairs) variables[name] = value
    }
    stages.at(-1)?.steps.push(step)
  }
  return stages
}

function readStep(instruction, expandValue) {
  const flags = (instruction.getFlags?.() ?? []).map((flag) => [flag.getName(), expandValue(flag.getValue() ?? '')])
  // What follows the flags, in one line.
  const command = (instruction.getArgumentsContent() ?? '').replaceAll(/\\\n\s*/g, ' ').replace(/^(?:--\S+\s+)*/, '')
  return {
    keyword: instruction.getKeyword(),
    flags: Object.fromEntries(flags),
    args: instruction.getArguments().map((argument) => expandValue(argument.getValue())),
    pairs: (instruction.getProperties?.() ?? []).map((pair) => [pair.getName(), expandValue(pair.getValue() ?? '')]),
    command,
  }
}

/** Returns the words of a command that is written as a JSON array. */
export function parseExecForm(command) {
  const words = JSON.parse(command.replace(/^CMD\s+/, ''))
  if (!Array.isArray(words)) throw new Error(`${command} is not a JSON array.`)
  return words
}
