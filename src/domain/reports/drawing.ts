import { limits } from '../../config/limits.ts'
import type { Language } from '../../http/messages.ts'
import type { Curve } from './avance/curve.ts'
import type { CaratulaFigures } from './caratula/schemas.ts'
import type { EstadoDeCuentaFigures } from './estado-de-cuenta/schemas.ts'

/** A report to draw, and the language of its texts. */
export type Drawing = { language: Language } & (
  | { report: 'avance', figures: Curve }
  | { report: 'caratula', figures: CaratulaFigures }
  | { report: 'estado-de-cuenta', figures: EstadoDeCuentaFigures }
)

/** Rows up to which a document is short. */
const maxShortRows = limits.reports.shortRows

/** Whether a drawing takes so long that short ones do not wait for it. */
export function isLong ({ report, figures }: Drawing): boolean {
  if (report === 'avance') return false
  const rows = report === 'caratula' ? figures.capitulos.length + figures.movimientos.length : figures.documentos.length
  return rows > maxShortRows
}

/** Loads what a report needs, so that its drawing does not wait for it. */
export async function load (report: Drawing['report']): Promise<void> {
  await (report === 'avance' ? import('./avance/curve.ts') : import('./pdf/render.ts'))
}

/**
 * Draws a report, in a thread of its own: it takes too long for the thread that answers requests. The libraries are loaded with the first
 * drawing that needs them.
 * @returns the bytes of an SVG or PDF document
 */
export default async function draw ({ report, figures, language }: Drawing): Promise<Uint8Array> {
  if (report === 'avance') {
    const { drawCurve } = await import('./avance/curve.ts')
    return Buffer.from(drawCurve(figures, language))
  }
  const { rendered } = await import('./pdf/render.ts')
  if (report === 'caratula') {
    const { caratulaSheet } = await import('./caratula/sheet.ts')
    return await rendered(caratulaSheet(figures, language))
  }
  const { accountSheet } = await import('./estado-de-cuenta/sheet.ts')
  return await rendered(accountSheet(figures, language))
}
