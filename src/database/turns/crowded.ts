/** Longest wait for the database or for another session's lock, in ms. */
export const maxWaitMs = 10_000

/** Too many requests wait for the process or for the database. */
export class Crowded extends Error {}
