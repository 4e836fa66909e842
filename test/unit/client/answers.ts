/** Errors in the form of the service's, which fakes answer in its place. See `proxy.ts` for answers of others. */
export const refused = (status: number, code: string, detail = 'Refused.'): Response => Response.json({ detail, code }, { status })

export const busy = (): Response => refused(503, 'unavailable', 'Busy.')

export const failed = (): Response => refused(500, 'error', 'Failed.')

export const resync = (reason: string): Response => Response.json({ detail: 'Start again.', code: 'resync', reason }, { status: 410 })
