/**
 * Shares one run of `work` among concurrent callers, with a timeout for each, so that callers do not pile up behind a hanging run.
 * @param late the result after the timeout
 * @param patience timeout in ms
 */
export function timely<T> (work: () => Promise<T>, late: T, patience: number): () => Promise<T> {
  let running: Promise<T> | undefined
  return async () => {
    running ??= work().finally(() => { running = undefined })
    return await Promise.race([running, new Promise<T>(resolve => setTimeout(resolve, patience, late).unref())])
  }
}
