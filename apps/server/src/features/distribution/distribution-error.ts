/** Why a database cannot be distributed; the message says what to do. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError'
}
