import type { Language } from '../../../http/messages.ts'

/** Texts of a cover sheet, by language. */
export const labels = {
  es: {
    titles: { ordinaria: 'Carátula de estimación', anticipo: 'Carátula de anticipo', finiquito: 'Carátula de finiquito' },
    number: 'No.',
    states: { borrador: 'BORRADOR', enviada: 'ENVIADA', autorizada: 'AUTORIZADA', pagada: 'PAGADA', rechazada: 'RECHAZADA', cancelada: 'CANCELADA' },
    period: 'Periodo',
    work: 'Trabajos',
    invoice: 'Factura (UUID)',
    state: 'Estado',
    amounts: 'Importes',
    before: 'Anterior',
    present: 'Este periodo',
    accumulated: 'Acumulado',
    progressTitle: 'Avance',
    progress: { avance_programado: 'Avance programado', avance: 'Avance físico (por importe)', avance_financiero: 'Avance financiero (pagado)' },
    chapters: 'Capítulos',
    chapter: 'Capítulo',
    agreed: 'Contratado',
    noChapter: '(sin capítulo)',
    signers: [['Formuló', 'Superintendente (contratista)'], ['Revisó', 'Supervisión'], ['Autorizó', 'Residente de obra'], ['Vo. Bo.', 'Contratante']],
    name: 'Nombre y firma'
  },
  en: {
    titles: { ordinaria: 'Estimate cover sheet', anticipo: 'Advance payment cover sheet', finiquito: 'Final settlement cover sheet' },
    number: 'No.',
    states: { borrador: 'DRAFT', enviada: 'SENT', autorizada: 'AUTHORIZED', pagada: 'PAID', rechazada: 'REJECTED', cancelada: 'CANCELLED' },
    period: 'Period',
    work: 'Work',
    invoice: 'Invoice (UUID)',
    state: 'State',
    amounts: 'Amounts',
    before: 'Previous',
    present: 'This period',
    accumulated: 'To date',
    progressTitle: 'Progress',
    progress: { avance_programado: 'Planned progress', avance: 'Physical progress (by amount)', avance_financiero: 'Financial progress (paid)' },
    chapters: 'Chapters',
    chapter: 'Chapter',
    agreed: 'Agreed',
    noChapter: '(no chapter)',
    signers: [['Prepared by', 'Superintendent (contractor)'], ['Reviewed by', 'Supervision'], ['Authorized by', 'Resident engineer'], ['Approved by', 'Client']],
    name: 'Name and signature'
  }
} as const satisfies Record<Language, object>
