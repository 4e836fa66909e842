// Generated from the declarations of the resources: npm run client:types

export const resources = {
  contrapartes: {
    fields: ['nombre', 'rfc', 'tipo', 'email', 'telefono', 'direccion', 'notas', 'activo', 'external_id'],
    defaults: { rfc: null, external_id: null, tipo: 'otro', email: '', telefono: '', direccion: '', notas: '', activo: true },
    references: {}
  },
  contracts: {
    fields: ['folio', 'contraparte', 'monto', 'parent', 'moneda', 'fecha_inicio', 'fecha_fin', 'anticipo_porcentaje',
      'retencion_porcentaje', 'iva_porcentaje', 'estado', 'external_id', 'descripcion'],
    defaults: { contraparte: null, parent: null, fecha_inicio: null, fecha_fin: null, external_id: null, monto: '0.00',
      moneda: 'MXN', anticipo_porcentaje: '0.00', retencion_porcentaje: '0.00', iva_porcentaje: '16.00', estado: 'vigente',
      descripcion: '' },
    references: {
      contraparte: { resource: 'contrapartes', field: 'contraparte_id' },
      parent: { resource: 'contracts', field: 'parent' }
    }
  },
  estimates: {
    fields: ['contract', 'periodo_inicio', 'periodo_fin', 'descripcion', 'monto', 'deductivas', 'estado',
      'motivo_rechazo', 'factura_uuid', 'external_id'],
    defaults: { periodo_inicio: null, periodo_fin: null, factura_uuid: null, external_id: null, descripcion: '',
      monto: '0.00', deductivas: '0.00', estado: 'borrador', motivo_rechazo: '' },
    references: {
      contract: { resource: 'contracts', field: 'contract' }
    }
  }
}
