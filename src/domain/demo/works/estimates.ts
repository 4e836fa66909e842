/** A measurement. It has dimensions or a quantity. */
export interface DemoGenerador {
  /** Code of the concept. */
  clave: string
  /** Number of the change order that adds the concept; omitted for one of the original catalogue. */
  convenio?: number
  ubicacion: string
  piezas?: string
  largo?: string
  ancho?: string
  alto?: string
  cantidad?: string
  observaciones?: string
}

/** A charge, as an amount or a percentage. */
interface DemoMovimiento {
  tipo: string
  motivo: string
  antes_iva: boolean
  importe: string | null
  porcentaje: string | null
}

/** An estimate of the site, with the states that follow the draft. */
export interface DemoEstimate {
  numero: number
  descripcion: string
  periodo_inicio: string
  periodo_fin: string
  generadores: DemoGenerador[]
  movimientos: DemoMovimiento[]
  estados: string[]
}

const authorized = ['enviada', 'autorizada']

/** Paid in part. */
export const first: DemoEstimate = {
  numero: 1,
  descripcion: 'Preliminares y excavación',
  periodo_inicio: '2026-02-01',
  periodo_fin: '2026-02-28',
  generadores: [
    { clave: 'PRE-01', ubicacion: 'Apoyo 1', largo: '42.5', ancho: '18' },
    { clave: 'PRE-01', ubicacion: 'Apoyo 2', largo: '38', ancho: '18' },
    { clave: 'PRE-02', ubicacion: 'Apoyos 1 y 2', largo: '80.5', ancho: '18', alto: '0.2' },
    { clave: 'EXC-01', ubicacion: 'Apoyo 1', largo: '14.6', ancho: '9.2', alto: '3.85' },
    { clave: 'EXC-01', ubicacion: 'Apoyo 2', largo: '14.6', ancho: '9.2', alto: '3.4' },
    { clave: 'EXC-01', ubicacion: 'Apoyo 2', piezas: '-1', largo: '6', ancho: '4', alto: '1.5', observaciones: 'Cepa de la obra anterior' },
    { clave: 'EXC-02', ubicacion: 'Tiro Las Palmas', cantidad: '937.82', observaciones: 'Vales 0012 a 0146' }
  ],
  movimientos: [],
  estados: authorized
}

/** Authorized, with work of the signed change order. */
export const second: DemoEstimate = {
  numero: 2,
  descripcion: 'Pilas del apoyo 1',
  periodo_inicio: '2026-03-01',
  periodo_fin: '2026-03-31',
  generadores: [
    { clave: 'PIL-01', ubicacion: 'Apoyo 1, pilas 1 a 8', piezas: '8', largo: '24' },
    { clave: 'PIL-02', ubicacion: 'Apoyo 1, pilas 1 a 8', cantidad: '217.15', observaciones: 'Remisiones 4410 a 4441' },
    { clave: 'PIL-03', ubicacion: 'Apoyo 1, pilas 1 a 8', cantidad: '26080', observaciones: 'Despiece PL-07' },
    { clave: 'PIL-04', ubicacion: 'Apoyo 1', cantidad: '0.5' },
    { convenio: 1, clave: 'PIL-01', ubicacion: 'Apoyo 1, pilas 1 a 8, de 24 a 27 m', piezas: '8', largo: '3' },
    {
      convenio: 1,
      clave: 'PIL-02',
      ubicacion: 'Apoyo 1, pilas 1 a 8, de 24 a 27 m',
      cantidad: '27.15',
      observaciones: 'Remisiones 4442 a 4445'
    },
    { convenio: 1, clave: 'EXT-01', ubicacion: 'Apoyo 1, pilas 3 a 6', piezas: '4', largo: '9.5' }
  ],
  movimientos: [
    { tipo: 'deductiva', motivo: 'Laboratorio de concreto pagado por el cliente', antes_iva: true, importe: '18650.00', porcentaje: null },
    { tipo: 'otro', motivo: 'Capacitación de los trabajadores, 2 al millar', antes_iva: false, importe: null, porcentaje: '0.2' }
  ],
  estados: authorized
}

/** A draft, with work of the change order that waits for its signature. */
export const draft: DemoEstimate = {
  numero: 3,
  descripcion: 'Zapata del apoyo 1 y muro del apoyo 2',
  periodo_inicio: '2026-04-01',
  periodo_fin: '2026-04-30',
  generadores: [
    { clave: 'ZAP-01', ubicacion: 'Apoyo 1', largo: '14.6', ancho: '9.2' },
    { clave: 'ZAP-02', ubicacion: 'Apoyo 1, costados largos', piezas: '2', largo: '14', alto: '1.8' },
    { clave: 'ZAP-02', ubicacion: 'Apoyo 1, costados cortos', piezas: '2', largo: '8.6', alto: '1.8' },
    { clave: 'ZAP-03', ubicacion: 'Apoyo 1', largo: '14', ancho: '8.6', alto: '1.8' },
    { clave: 'ZAP-03', ubicacion: 'Apoyo 1, paso de drenaje', piezas: '-1', largo: '8.6', ancho: '0.6', alto: '0.6' },
    { convenio: 2, clave: 'EXT-02', ubicacion: 'Apoyo 2, aguas arriba', largo: '16', ancho: '1.1', alto: '2.4' }
  ],
  movimientos: [],
  estados: []
}

/** A part of the first estimate. */
export const payment = { numero: 1, fecha: '2026-03-18', referencia: 'SPEI' }
