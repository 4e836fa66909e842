/** A row of the catalogue or of a change order. */
export interface DemoConcepto {
  clave: string
  capitulo: string
  descripcion: string
  unidad: string
  precio_unitario: string
  alzado?: boolean
  cantidad: string
}

/** A month of the programme, and the parts of the amount that are planned before it and up to its end. */
export interface DemoPeriod {
  periodo_inicio: string
  periodo_fin: string
  before: number
  upTo: number
}

/** A change order, with its rows, the period of its work, and the states that follow the draft. */
export interface DemoConvenio {
  numero: number
  descripcion: string
  dias: number
  period: DemoPeriod
  conceptos: DemoConcepto[]
  estados: Array<{ estado: string, fecha_autorizacion?: string, fecha_firma?: string }>
}

const preliminaries = '01 Preliminares'
const excavation = '02 Excavación'
const piles = '03 Cimentación/03.1 Pilas'
const footings = '03 Cimentación/03.2 Zapatas'
const fills = '04 Rellenos'

function concept (clave: string, capitulo: string, descripcion: string, unidad: string, precio: string): Omit<DemoConcepto, 'cantidad'> {
  return { clave, capitulo, descripcion, unidad, precio_unitario: precio }
}

const pile = concept('PIL-01', piles, 'Perforación de pila de 1.20 m de diámetro, estabilizada con lodo bentonítico', 'm', '3480.00')
const pileConcrete = concept('PIL-02', piles, 'Concreto premezclado en pilas, f\'c = 250 kg/cm², colocado con tubo tremie', 'm3', '2945.60')
const fill = concept('REL-01', fills, 'Relleno con material de banco, compactado al 95 % de la prueba Proctor', 'm3', '318.60')
const tests = concept('PIL-04', piles, 'Pruebas de integridad de las pilas, con informe', 'lote', '148500.00')

/** The catalogue: the foundations of a bridge. Its sum is the amount of the contract. */
export const catalogue: DemoConcepto[] = [
  { ...concept('PRE-01', preliminaries, 'Trazo y nivelación de ejes con estación total', 'm2', '14.80'), cantidad: '1850' },
  { ...concept('PRE-02', preliminaries, 'Despalme de terreno natural, en capa de 20 cm', 'm3', '68.50'), cantidad: '370' },
  { ...concept('EXC-01', excavation, 'Excavación con máquina en material tipo B, de 0 a 4 m', 'm3', '142.35'), cantidad: '1260' },
  { ...concept('EXC-02', excavation, 'Acarreo en camión de material excavado, al tiro autorizado', 'm3', '96.40'), cantidad: '1260' },
  { ...pile, cantidad: '384' },
  { ...pileConcrete, cantidad: '435' },
  { ...concept('PIL-03', piles, 'Acero de refuerzo en pilas, fy = 4200 kg/cm², habilitado y colocado', 'kg', '34.90'), cantidad: '52200' },
  { ...tests, alzado: true, cantidad: '1' },
  { ...concept('ZAP-01', footings, 'Plantilla de concreto f\'c = 100 kg/cm², de 5 cm de espesor', 'm2', '218.40'), cantidad: '310' },
  { ...concept('ZAP-02', footings, 'Cimbra común en zapatas y dados', 'm2', '386.25'), cantidad: '640' },
  { ...concept('ZAP-03', footings, 'Concreto premezclado en zapatas y dados, f\'c = 300 kg/cm²', 'm3', '3128.75'), cantidad: '298' },
  { ...fill, cantidad: '720' }
]

/** The original programme. */
export const programme: DemoPeriod[] = [
  { periodo_inicio: '2026-02-01', periodo_fin: '2026-02-28', before: 0, upTo: 0.06 },
  { periodo_inicio: '2026-03-01', periodo_fin: '2026-03-31', before: 0.06, upTo: 0.45 },
  { periodo_inicio: '2026-04-01', periodo_fin: '2026-04-30', before: 0.45, upTo: 0.8 },
  { periodo_inicio: '2026-05-01', periodo_fin: '2026-05-31', before: 0.8, upTo: 0.95 },
  { periodo_inicio: '2026-06-01', periodo_fin: '2026-06-30', before: 0.95, upTo: 1 }
]

/** Deeper piles: a change order that is signed. */
export const signed: DemoConvenio = {
  numero: 1,
  descripcion: 'Pilas 3 m más profundas en el apoyo 1, con ademe en la zona de boleos',
  dias: 15,
  period: { periodo_inicio: '2026-03-01', periodo_fin: '2026-03-31', before: 0, upTo: 1 },
  conceptos: [
    { ...pile, cantidad: '24' },
    { ...pileConcrete, cantidad: '27.2' },
    { ...concept('EXT-01', piles, 'Ademe metálico recuperable en zona de boleos', 'm', '1865.40'), cantidad: '96' }
  ],
  estados: [
    { estado: 'enviado' },
    { estado: 'autorizado', fecha_autorizacion: '2026-03-04' },
    { estado: 'firmado', fecha_firma: '2026-03-20' }
  ]
}

/** Protection against scour, with less fill: a change order that waits for its signature. */
export const waiting: DemoConvenio = {
  numero: 2,
  descripcion: 'Muro de protección contra socavación en el apoyo 2',
  dias: 10,
  period: { periodo_inicio: '2026-05-01', periodo_fin: '2026-05-31', before: 0, upTo: 1 },
  conceptos: [
    { ...concept('EXT-02', footings, 'Concreto ciclópeo en muro de protección, con 40 % de piedra', 'm3', '1764.20'), cantidad: '180' },
    { ...fill, cantidad: '-120' }
  ],
  estados: [
    { estado: 'enviado' },
    { estado: 'autorizado', fecha_autorizacion: '2026-04-10' }
  ]
}
