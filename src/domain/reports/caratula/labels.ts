import type { Language } from '../../../http/messages.ts'

/** Texts of a cover sheet, by language. */
export const labels = {
  es: {
    titles: { ordinaria: 'Carátula de estimación', anticipo: 'Carátula de anticipo', finiquito: 'Carátula de finiquito' },
    number: 'No.',
    states: { borrador: 'BORRADOR', enviada: 'ENVIADA', autorizada: 'AUTORIZADA', rechazada: 'RECHAZADA', cancelada: 'CANCELADA' },
    period: 'Periodo',
    work: 'Trabajos',
    state: 'Estado',
    amounts: 'Importes',
    before: 'Anterior',
    present: 'Este periodo',
    accumulated: 'Acumulado',
    due: { neto: 'Neto a favor del contratante', words: 'A favor del contratante: ' },
    progressTitle: 'Avance',
    progress: { avance_programado: 'Avance programado', avance: 'Avance físico (por importe)' },
    chapters: 'Capítulos',
    chapter: 'Capítulo',
    agreed: 'Vigente',
    unsigned: 'Sin firma',
    total: 'Total',
    noChapter: '(sin capítulo)',
    signers: [
      ['Formuló', 'Superintendente (contratista)'],
      ['Revisó', 'Supervisión'],
      ['Autorizó', 'Residente de obra'],
      ['Vo. Bo.', 'Contratante']
    ],
    name: 'Nombre y firma'
  },
  en: {
    titles: { ordinaria: 'Estimate cover sheet', anticipo: 'Advance payment cover sheet', finiquito: 'Final settlement cover sheet' },
    number: 'No.',
    states: { borrador: 'DRAFT', enviada: 'SENT', autorizada: 'AUTHORIZED', rechazada: 'REJECTED', cancelada: 'CANCELLED' },
    period: 'Period',
    work: 'Work',
    state: 'State',
    amounts: 'Amounts',
    before: 'Previous',
    present: 'This period',
    accumulated: 'To date',
    due: { neto: 'Net amount in favour of the client', words: 'In favour of the client: ' },
    progressTitle: 'Progress',
    progress: { avance_programado: 'Planned progress', avance: 'Physical progress (by amount)' },
    chapters: 'Chapters',
    chapter: 'Chapter',
    agreed: 'In force',
    unsigned: 'Not signed',
    total: 'Total',
    noChapter: '(no chapter)',
    signers: [
      ['Prepared by', 'Superintendent (contractor)'],
      ['Reviewed by', 'Supervision'],
      ['Authorized by', 'Resident engineer'],
      ['Approved by', 'Client']
    ],
    name: 'Name and signature'
  }
} as const satisfies Record<Language, object>
