/** Color of names beside values. */
export const muted = '#555555'
/** Color of lines between rows. */
export const rule = '#b5bac2'
/** Color of the state across a page. */
export const watermark = '#8a94a3'
