// Generated from the declarations of the resources: npm run client:types

export const usual = ['contrapartes', 'contracts', 'estimates'] as const

export const resources = {
  contrapartes: {
    fields: ['nombre', 'rfc', 'tipo', 'email', 'telefono', 'direccion', 'notas', 'activo', 'external_id'],
    defaults: { rfc: null, external_id: null, tipo: 'otro', email: '', telefono: '', direccion: '', notas: '', activo: true },
    references: {}
  },
  contracts: {
    fields: ['folio', 'contraparte', 'monto', 'parent', 'moneda', 'fecha_inicio', 'fecha_fin', 'anticipo_porcentaje',
      'retencion_porcentaje', 'iva_porcentaje', 'derechos_porcentaje', 'retencion_antes_iva', 'estado', 'external_id',
      'descripcion'],
    defaults: { contraparte: null, parent: null, fecha_inicio: null, fecha_fin: null, external_id: null, monto: '0.00',
      moneda: 'MXN', anticipo_porcentaje: '0.00', retencion_porcentaje: '0.00', iva_porcentaje: '16.00',
      derechos_porcentaje: '0.00', retencion_antes_iva: true, estado: 'vigente', descripcion: '' },
    references: {
      contraparte: { resource: 'contrapartes', field: 'contraparte_id' },
      parent: { resource: 'contracts', field: 'parent' }
    },
    decimals: ['monto', 'anticipo_porcentaje', 'retencion_porcentaje', 'iva_porcentaje', 'derechos_porcentaje'],
    sums: {
      monto: ['conceptos']
    }
  },
  estimates: {
    fields: ['contract', 'tipo', 'periodo_inicio', 'periodo_fin', 'descripcion', 'monto', 'anticipo', 'deductivas',
      'estado', 'motivo_rechazo', 'factura_uuid', 'external_id'],
    defaults: { periodo_inicio: null, periodo_fin: null, factura_uuid: null, external_id: null, tipo: 'ordinaria',
      descripcion: '', monto: '0.00', anticipo: '0.00', deductivas: '0.00', estado: 'borrador', motivo_rechazo: '' },
    references: {
      contract: { resource: 'contracts', field: 'contract' }
    },
    decimals: ['monto', 'anticipo', 'deductivas'],
    sums: {
      monto: ['generadores']
    }
  },
  convenios: {
    fields: ['contract', 'folio', 'descripcion', 'monto', 'dias', 'con_anticipo', 'fecha_autorizacion', 'fecha_firma',
      'motivo_rechazo', 'estado', 'external_id'],
    defaults: { fecha_autorizacion: null, fecha_firma: null, external_id: null, folio: '', descripcion: '',
      monto: '0.00', dias: 0, con_anticipo: false, motivo_rechazo: '', estado: 'borrador' },
    references: {
      contract: { resource: 'contracts', field: 'contract' }
    },
    decimals: ['monto'],
    sums: {
      monto: ['conceptos']
    }
  },
  conceptos: {
    fields: ['contract', 'clave', 'unidad', 'cantidad', 'precio_unitario', 'convenio', 'capitulo', 'descripcion', 'alzado', 'external_id'],
    defaults: { convenio: null, external_id: null, capitulo: '', descripcion: '', alzado: false },
    references: {
      contract: { resource: 'contracts', field: 'contract' },
      convenio: { resource: 'convenios', field: 'convenio' }
    },
    decimals: ['cantidad', 'precio_unitario']
  },
  generadores: {
    fields: ['estimate', 'concepto', 'ubicacion', 'piezas', 'largo', 'ancho', 'alto', 'cantidad', 'observaciones', 'external_id'],
    defaults: { piezas: null, largo: null, ancho: null, alto: null, external_id: null, ubicacion: '', observaciones: '' },
    references: {
      estimate: { resource: 'estimates', field: 'estimate', onDelete: 'cascade' },
      concepto: { resource: 'conceptos', field: 'concepto' }
    },
    shown: { contract: 'contracts' },
    decimals: ['piezas', 'largo', 'ancho', 'alto', 'cantidad']
  },
  movimientos: {
    fields: ['estimate', 'tipo', 'motivo', 'antes_iva', 'sentido', 'importe', 'porcentaje', 'base', 'external_id'],
    defaults: { importe: null, porcentaje: null, external_id: null, sentido: 'cargo', base: 'monto' },
    references: {
      estimate: { resource: 'estimates', field: 'estimate', onDelete: 'cascade' }
    },
    shown: { contract: 'contracts' },
    decimals: ['importe', 'porcentaje']
  },
  pagos: {
    fields: ['estimate', 'importe', 'fecha', 'referencia', 'complemento_uuid', 'external_id'],
    defaults: { complemento_uuid: null, external_id: null, referencia: '' },
    references: {
      estimate: { resource: 'estimates', field: 'estimate' }
    },
    shown: { contract: 'contracts' },
    decimals: ['importe']
  },
  programa: {
    fields: ['contract', 'periodo_inicio', 'periodo_fin', 'importe', 'convenio', 'external_id'],
    defaults: { convenio: null, external_id: null },
    references: {
      contract: { resource: 'contracts', field: 'contract' },
      convenio: { resource: 'convenios', field: 'convenio' }
    },
    decimals: ['importe']
  },
  adjuntos: {
    fields: ['contract', 'nombre', 'tipo', 'bytes', 'sha256', 'estimate', 'convenio', 'generador', 'pago', 'descripcion',
      'tomada_en', 'external_id'],
    defaults: { estimate: null, convenio: null, generador: null, pago: null, tomada_en: null, external_id: null, descripcion: '' },
    references: {
      contract: { resource: 'contracts', field: 'contract' },
      estimate: { resource: 'estimates', field: 'estimate', onDelete: 'cascade' },
      convenio: { resource: 'convenios', field: 'convenio', onDelete: 'cascade' },
      generador: { resource: 'generadores', field: 'generador', onDelete: 'cascade' },
      pago: { resource: 'pagos', field: 'pago', onDelete: 'cascade' }
    }
  },
  bitacora: {
    fields: ['contract', 'asunto', 'texto', 'fecha', 'frente', 'tipo', 'responde_a', 'anula', 'estado', 'external_id'],
    defaults: { responde_a: null, anula: null, external_id: null, frente: '', tipo: 'otra', estado: 'borrador' },
    references: {
      contract: { resource: 'contracts', field: 'contract' },
      responde_a: { resource: 'bitacora', field: 'responde_a' },
      anula: { resource: 'bitacora', field: 'anula' }
    }
  }
} as const
