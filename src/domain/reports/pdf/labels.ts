import type { Language } from '../../../http/messages.ts'

/** Texts that several documents have, by language. */
export const commonLabels = {
  es: {
    contract: 'Contrato',
    scope: 'Objeto',
    counterparty: 'Contraparte',
    term: 'Plazo',
    amounts: {
      monto: 'Importe de los trabajos',
      anticipo: 'Anticipo',
      amortizacion: 'Amortización del anticipo',
      retencion: 'Fondo de garantía',
      deductivas: 'Deductivas',
      cargos_antes_iva: 'Cargos antes de IVA',
      subtotal: 'Subtotal',
      iva: 'IVA',
      derechos: 'Derechos de inspección',
      cargos_despues_iva: 'Cargos después de IVA',
      neto: 'Neto a pagar'
    },
    inForce: { monto_original: 'Importe original', convenios: 'Convenios', monto: 'Importe vigente' },
    estimated: 'Estimado acumulado',
    left: 'Saldo por estimar',
    advanceTitle: 'Anticipo',
    advance: { importe: 'Anticipo', amortizado: 'Amortizado', por_amortizar: 'Por amortizar' }
  },
  en: {
    contract: 'Contract',
    scope: 'Scope',
    counterparty: 'Counterparty',
    term: 'Term',
    amounts: {
      monto: 'Work done',
      anticipo: 'Advance payment',
      amortizacion: 'Repayment of the advance',
      retencion: 'Guarantee fund',
      deductivas: 'Deductions',
      cargos_antes_iva: 'Charges before tax',
      subtotal: 'Subtotal',
      iva: 'Value added tax',
      derechos: 'Inspection fee',
      cargos_despues_iva: 'Charges after tax',
      neto: 'Amount to pay'
    },
    inForce: { monto_original: 'Original amount', convenios: 'Change orders', monto: 'Amount in force' },
    estimated: 'Estimated to date',
    left: 'Left to bill',
    advanceTitle: 'Advance payment',
    advance: { importe: 'Advance', amortizado: 'Repaid', por_amortizar: 'Left to repay' }
  }
} satisfies Record<Language, object>
