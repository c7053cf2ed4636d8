import { createAnswerError, getText, isObject } from './answers.ts'

const toCall = (method: string, parameters: readonly unknown[], id = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: parameters,
})

/** Formats a call of JSON-RPC 2.0, https://www.jsonrpc.org/specification */
export const formatRpcCall = (method: string, parameters: readonly unknown[]): string =>
  JSON.stringify(toCall(method, parameters))

/** Formats a batch: a call with each of several parameters. Its id is the place of the parameter. */
export const formatRpcBatch = (method: string, parameters: readonly unknown[]): string =>
  JSON.stringify(parameters.map((parameter, index) => toCall(method, [parameter], index)))

/**
 * Returns what a call has answered with, or why it was refused.
 * @throws {CommandError} when it is no answer of JSON-RPC
 */
export function readRpcAnswer(
  answer: unknown,
  title: string,
  method: string,
): { result: unknown } | { code: string; message: string } {
  if (isObject(answer)) {
    const { error } = answer
    if (isObject(error)) return { code: getText(error, 'code'), message: getText(error, 'message') || 'no reason' }
    if ('result' in answer) return { result: answer['result'] }
  }
  throw createAnswerError(answer, title, method, 'JSON-RPC')
}
