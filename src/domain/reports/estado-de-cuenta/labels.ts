import type { Language } from '../../../http/messages.ts'

/** Texts of a statement of account, by language. */
export const labels = {
  es: {
    title: 'Estado de cuenta',
    currency: 'Moneda',
    sums: 'Resumen',
    billed: 'Estimaciones autorizadas',
    net: 'Neto',
    paid: 'Pagado',
    due: { contractor: 'Saldo a favor del contratista', client: 'Saldo a favor del contratante', none: 'Saldo' },
    retainedTitle: 'Retenido y no devuelto',
    retained: {
      deductiva: 'Deductivas',
      retencion: 'Retenciones',
      pena: 'Penas convencionales',
      fondo_garantia: 'Fondo de garantía',
      impuesto: 'Impuestos',
      otro: 'Otros cargos'
    },
    beforeTax: 'antes de IVA',
    afterTax: 'después de IVA',
    documents: 'Estimaciones y pagos',
    kinds: { ordinaria: 'Estimación', anticipo: 'Anticipo', finiquito: 'Finiquito', pago: 'Pago' },
    number: 'No.',
    document: 'Documento',
    day: 'Fecha',
    reference: 'Referencia',
    charge: 'Neto',
    payment: 'Pago',
    balance: 'Saldo',
    total: 'Total',
    none: 'Sin estimaciones autorizadas'
  },
  en: {
    title: 'Statement of account',
    currency: 'Currency',
    sums: 'Summary',
    billed: 'Authorized estimates',
    net: 'Net amount',
    paid: 'Paid',
    due: { contractor: 'Balance in favour of the contractor', client: 'Balance in favour of the client', none: 'Balance' },
    retainedTitle: 'Retained and not returned',
    retained: {
      deductiva: 'Deductions',
      retencion: 'Retentions',
      pena: 'Penalties',
      fondo_garantia: 'Guarantee fund',
      impuesto: 'Taxes',
      otro: 'Other charges'
    },
    beforeTax: 'before tax',
    afterTax: 'after tax',
    documents: 'Estimates and payments',
    kinds: { ordinaria: 'Estimate', anticipo: 'Advance', finiquito: 'Settlement', pago: 'Payment' },
    number: 'No.',
    document: 'Document',
    day: 'Date',
    reference: 'Reference',
    charge: 'Net amount',
    payment: 'Payment',
    balance: 'Balance',
    total: 'Total',
    none: 'No authorized estimates'
  }
} satisfies Record<Language, object>
