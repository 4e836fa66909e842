/** The password of every demo account. */
export const demoPassword = 'demo-obra-1'

/** A demo log-in: its level in the companies named, or its account's own level, and its active company. */
export interface DemoUser {
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

/** A user of every level, one of another customer, and one who has no active company. */
export const demoUsers: DemoUser[] = [
  { email: 'auxiliar@demo.example', nombre: 'Ana Auxiliar', customer: 'Constructora Demo', member: { 'Obra Norte': 1 }, active: 'Obra Norte' },
  { email: 'coordinador@demo.example', nombre: 'Carlos Coordinador', customer: 'Constructora Demo', member: { 'Obra Norte': 2 }, active: 'Obra Norte' },
  { email: 'director@demo.example', nombre: 'Diana Directora', customer: 'Constructora Demo', member: { 'Obra Norte': 3, 'Obra Sur': 3 }, active: 'Obra Norte' },
  { email: 'corporativo@demo.example', nombre: 'Claudia Corporativo', customer: 'Constructora Demo', account: 4, active: 'Obra Norte' },
  { email: 'soporte@demo.example', nombre: 'Sergio Soporte', customer: null, account: 5, active: null },
  { email: 'superusuario@demo.example', nombre: 'Susana Superusuario', customer: null, account: 6, active: null },
  { email: 'director@otra.example', nombre: 'Óscar Otra', customer: 'Grupo Otra', member: { 'Otra Uno': 3 }, active: 'Otra Uno' },
  { email: 'sincompania@demo.example', nombre: 'Sin Compañía', customer: 'Constructora Demo', active: null }
]

/** Invented counterparties. */
export const demoContrapartes = [
  'Secretaría de Infraestructura del Norte', 'Inmobiliaria Los Encinos, S.A. de C.V.', 'Cimentaciones Profundas del Bajío, S.A. de C.V.',
  'Aceros y Estructuras Lumen, S.A. de C.V.', 'Instalaciones Eléctricas Peñón, S.A. de C.V.', 'Hidráulica y Drenajes Ávila, S. de R.L.',
  'Acabados Finos Tlalli, S.A. de C.V.', 'Pavimentos y Terracerías Quetzal, S.A. de C.V.', 'Concretos Premezclados Sierra, S.A. de C.V.',
  'Impermeabilizaciones Muñoz e Hijos'
]

/** Works that a main contract is for. */
export const demoWorks = [
  'Hospital general de 120 camas', 'Torre de departamentos Los Encinos', 'Puente vehicular Arroyo Seco',
  'Planta de tratamiento de aguas residuales', 'Ampliación de la línea 2, estación Norte', 'Centro logístico Apodaca'
]

/** Trades that subcontracts are for, and their parts. */
export const demoTrades: Record<string, [string, string]> = {
  Cimentación: ['Pilas de cimentación', 'Losa de cimentación'],
  'Estructura metálica': ['Fabricación de columnas', 'Montaje de trabes'],
  'Instalaciones eléctricas': ['Media tensión', 'Alumbrado y contactos']
}
