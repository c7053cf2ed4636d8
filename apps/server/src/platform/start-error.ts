/** An error at start that the operator can fix. Its message is one line. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
