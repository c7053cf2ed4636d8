/** Waits for both, also if one fails: the transaction must not end while the other one uses it. */
export async function settleBoth<A, B>(tasks: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  try {
    return await Promise.all(tasks)
  } catch (error) {
    await Promise.allSettled(tasks)
    throw error
  }
}
