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
    movements: {
      deductiva: 'Deductiva',
      retencion: 'Retención',
      pena: 'Pena convencional',
      fondo_garantia: 'Fondo de garantía',
      impuesto: 'Impuesto',
      otro: 'Otro cargo'
    },
    inForce: {
      monto_original: 'Importe original', convenios: 'Convenios firmados', monto: 'Importe vigente', sin_firma: 'Autorizado sin firma'
    },
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
    movements: {
      deductiva: 'Deduction',
      retencion: 'Retention',
      pena: 'Penalty',
      fondo_garantia: 'Guarantee fund',
      impuesto: 'Tax',
      otro: 'Other charge'
    },
    inForce: {
      monto_original: 'Original amount', convenios: 'Signed change orders', monto: 'Amount in force', sin_firma: 'Authorized, not signed'
    },
    estimated: 'Estimated to date',
    left: 'Left to bill',
    advanceTitle: 'Advance payment',
    advance: { importe: 'Advance', amortizado: 'Repaid', por_amortizar: 'Left to repay' }
  }
} satisfies Record<Language, object>
