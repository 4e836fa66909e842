/**
 * Shares one run of `work` among concurrent callers, with a timeout for each, so that callers do not pile up behind a hanging run.
 * @param fallback the result after the timeout. `work` continues, and later callers share it.
 * @param timeout in ms
 * @returns a function with the result of `work`
 * @throws errors of `work` within the timeout
 */
export function timely<T> (work: () => Promise<T>, fallback: T, timeout: number): () => Promise<T> {
  let running: Promise<T> | undefined
  return async () => {
    running ??= work().finally(() => { running = undefined })
    return await Promise.race([running, new Promise<T>(resolve => setTimeout(resolve, timeout, fallback).unref())])
  }
}
