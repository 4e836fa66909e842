/** The password of every demo account. */
export const demoPassword = 'demo-obra-1'

/** A demo user: the level in each company or the account's own level, and the active company. */
interface DemoUser {
  email: string
  nombre: string
  customer: string | null
  account?: 4 | 5 | 6
  member?: Record<string, 1 | 2 | 3>
  active: string | null
}

/** Customers and their companies. */
export const demoCompanies: Record<string, string[]> = {
  'Constructora Demo': ['Obra Norte', 'Obra Sur'],
  'Grupo Otra': ['Otra Uno']
}

/** A user of each level, one of another customer, and one without an active company. */
export const demoUsers: DemoUser[] = [
  {
    email: 'auxiliar@demo.example', nombre: 'Ana Auxiliar', customer: 'Constructora Demo', member: { 'Obra Norte': 1 }, active: 'Obra Norte'
  },
  {
    email: 'coordinador@demo.example',
    nombre: 'Carlos Coordinador',
    customer: 'Constructora Demo',
    member: { 'Obra Norte': 2 },
    active: 'Obra Norte'
  },
  {
    email: 'director@demo.example',
    nombre: 'Diana Directora',
    customer: 'Constructora Demo',
    member: { 'Obra Norte': 3, 'Obra Sur': 3 },
    active: 'Obra Norte'
  },
  { email: 'corporativo@demo.example', nombre: 'Claudia Corporativo', customer: 'Constructora Demo', account: 4, active: 'Obra Norte' },
  { email: 'soporte@demo.example', nombre: 'Sergio Soporte', customer: null, account: 5, active: null },
  { email: 'superusuario@demo.example', nombre: 'Susana Superusuario', customer: null, account: 6, active: null },
  { email: 'director@otra.example', nombre: 'Óscar Otra', customer: 'Grupo Otra', member: { 'Otra Uno': 3 }, active: 'Otra Uno' },
  { email: 'sincompania@demo.example', nombre: 'Sin Compañía', customer: 'Constructora Demo', active: null }
]

/** Invented counterparties. Their tax ids have correct check digits and belong to no known taxpayer. */
export const demoContrapartes = [
  { nombre: 'Secretaría de Infraestructura del Norte', rfc: 'SIN850614K34', tipo: 'cliente' },
  { nombre: 'Inmobiliaria Los Encinos, S.A. de C.V.', rfc: 'ILE960322QP9', tipo: 'cliente' },
  { nombre: 'Cimentaciones Profundas del Bajío, S.A. de C.V.', rfc: 'CPB030911T79', tipo: 'subcontratista' },
  { nombre: 'Aceros y Estructuras Lumen, S.A. de C.V.', rfc: 'AEL110505V21', tipo: 'subcontratista' },
  { nombre: 'Instalaciones Eléctricas Peñón, S.A. de C.V.', rfc: 'IEP980720M95', tipo: 'subcontratista' },
  { nombre: 'Hidráulica y Drenajes Ávila, S. de R.L.', rfc: 'HDA070214AB9', tipo: 'subcontratista' },
  { nombre: 'Acabados Finos Tlalli, S.A. de C.V.', rfc: 'AFT141103R56', tipo: 'subcontratista' },
  { nombre: 'Pavimentos y Terracerías Quetzal, S.A. de C.V.', rfc: 'PTQ010830J16', tipo: 'subcontratista' },
  { nombre: 'Concretos Premezclados Sierra, S.A. de C.V.', rfc: 'CPS890427D81', tipo: 'proveedor' },
  { nombre: 'Impermeabilizaciones Muñoz e Hijos', rfc: 'IMH930216H62', tipo: 'proveedor' }
]

/** Estimates of the first main contract, one per month: each state once, in the order of their numbers. */
export const demoEstimates = [
  { estado: 'pagada', descripcion: 'Preliminares y excavación', monto: '3250000.00', factura_uuid: '6128396f-c09b-4ec6-8699-43c5f7e3b230' },
  { estado: 'autorizada', descripcion: 'Cimentación, ejes A a D', monto: '4875400.50' },
  {
    estado: 'rechazada',
    descripcion: 'Cimentación, ejes E a H',
    monto: '5100000.00',
    motivo_rechazo: 'Faltan los números generadores de los ejes G y H.'
  },
  { estado: 'cancelada', descripcion: 'Obra exterior', monto: '640000.00' },
  { estado: 'enviada', descripcion: 'Estructura, niveles 1 y 2', monto: '6020350.75', deductivas: '18500.00' },
  { estado: 'borrador', descripcion: 'Estructura, niveles 3 y 4', monto: '5980000.00' }
]

/** A penalty in the draft. */
export const demoMovement = { tipo: 'pena', motivo: 'Atraso de 12 días en la losa del nivel 3', antes_iva: false, importe: '45000.00' }

/** Change orders of the second main contract: extra work that waits for its signature, one that waits for its authorization, one draft. */
export const demoConvenios = [
  {
    folio: 'ON-2026-002-CM-1',
    descripcion: 'Muro de contención adicional en el lindero poniente',
    monto: '2450000.00',
    dias: 45,
    estado: 'autorizado',
    fecha_autorizacion: '2026-03-09'
  },
  { folio: 'ON-2026-002-CM-2', descripcion: 'Cisterna de captación pluvial', monto: '875400.00', dias: 20, estado: 'enviado' },
  { folio: 'ON-2026-002-CM-3', descripcion: 'Reducción de acabados en el nivel 12', monto: '-640000.00', dias: 0, estado: 'borrador' }
]

/** The subcontract with a catalogue, measurements and payments. `contraparte` is a place in the counterparties. */
export const demoSite = { folio: 'ON-2026-003-A', contraparte: 2, works: { prices: 1, paid: 0.5 } }

/** Works of the main contracts. */
export const demoWorks = [
  'Hospital general de 120 camas', 'Torre de departamentos Los Encinos', 'Puente vehicular Arroyo Seco',
  'Planta de tratamiento de aguas residuales', 'Ampliación de la línea 2, estación Norte', 'Centro logístico Apodaca'
]

/** Trades of the subcontracts, with their parts. */
export const demoTrades: Record<string, [string, string]> = {
  Cimentación: ['Pilas de cimentación', 'Losa de cimentación'],
  'Estructura metálica': ['Fabricación de columnas', 'Montaje de trabes'],
  'Instalaciones eléctricas': ['Media tensión', 'Alumbrado y contactos']
}
