/** Formats of a list, the default first. */
export const listFormats = ['json', 'csv'] as const

/** Formats of other answers. */
export const usualFormats = ['json'] as const
