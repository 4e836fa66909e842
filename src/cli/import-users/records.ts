import { Type, type Static } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { largestAccountId, plainText } from '../../resources/validation/convert.ts'
import { normalizeEmail } from '../../resources/validation/email.ts'
import { takeHash } from './hashes.ts'
import { messageOf } from '../../files/errors.ts'

const Id = Type.Integer({ minimum: 1, maximum: largestAccountId })
const Optional = <T extends ReturnType<typeof Type.Unsafe>>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const Held = Type.Object({ company: Id, nivel_acceso: Type.Integer({ minimum: 1, maximum: 3 }) }, { additionalProperties: false })

/** A line of the file: Django's fields, and the user's customer, companies and levels in Obra. */
const Line = Type.Object({
  email: Type.String({ maxLength: 254, pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$' }),
  password: Optional(Type.String()),
  is_active: Optional(Type.Boolean()),
  first_name: Optional(Type.String()),
  last_name: Optional(Type.String()),
  nombre: Optional(Type.String()),
  customer: Optional(Id),
  company: Optional(Id),
  nivel_acceso: Optional(Type.Integer({ minimum: 1, maximum: 6 })),
  memberships: Optional(Type.Array(Held))
}, { additionalProperties: false })

/** Defaults for users without these values in the file. */
interface Belonging {
  customer?: number
  company?: number
  nivel?: number
}

/** A user to import. Values missing in the file are null. */
export interface ImportedUser {
  /** Position in the file: `line 3`. */
  at: string
  email: string
  /** Hash to store. */
  password: string | null
  nombre: string | null
  activo: boolean | null
  customer: number | null
  company: number | null
  /** Level of the account, 4 to 6. */
  nivel: number | null
  memberships: Array<Static<typeof Held>>
}

/** Users of a file, and its problems with their positions. */
interface Records {
  users: ImportedUser[]
  problems: string[]
}

const validate = new Ajv({ allErrors: true, strict: false }).compile<Static<typeof Line>>(Line)

/** Reads users from lines of JSON, or from the output of Django's `dumpdata`. */
export function readRecords (text: string, belonging: Belonging): Records {
  const problems: string[] = []
  const users: ImportedUser[] = []
  const positions = new Map<string, string>()
  for (const { at, value, fault } of text.trimStart().startsWith('[') ? dumped(text) : lines(text)) {
    if (fault !== undefined || !validate(value)) {
      problems.push(...(fault === undefined ? faultsFound() : [fault]).map(problem => `${at}: ${problem}`))
      continue
    }
    const { user, faults } = userOf(at, value, belonging)
    const first = positions.get(user.email)
    if (first !== undefined) faults.push(`email: ${user.email} is already in ${first}`)
    positions.set(user.email, first ?? at)
    problems.push(...faults.map(problem => `${at}: ${problem}`))
    users.push(user)
  }
  return { users, problems }
}

interface RecordPosition {
  at: string
  value?: unknown
  fault?: string
}

function lines (text: string): RecordPosition[] {
  return text.split('\n').flatMap((line, index): RecordPosition[] => {
    if (line.trim() === '') return []
    const at = `line ${index + 1}`
    try {
      return [{ at, value: JSON.parse(line) }]
    } catch {
      return [{ at, fault: 'not JSON' }]
    }
  })
}

/** Users of a dump: records of any model that have an email and a password. Unknown fields are dropped. */
function dumped (text: string): RecordPosition[] {
  let records: Array<DumpedRecord | null>
  try {
    records = JSON.parse(text)
  } catch (error) {
    return [{ at: 'the file', fault: `not JSON: ${messageOf(error)}` }]
  }
  return records.flatMap((record, index): RecordPosition[] => {
    const at = `record ${index + 1}`
    const { model, fields } = record ?? {}
    if (typeof model !== 'string' || fields === null || typeof fields !== 'object') return [{ at, fault: 'not a dumpdata record' }]
    if (fields['email'] === undefined || fields['password'] === undefined) return []
    return [{ at, value: Object.fromEntries(Object.entries(fields).filter(([field]) => field in Line.properties)) }]
  })
}

/** A record of Django's `dumpdata`. Its fields can be missing or null. */
interface DumpedRecord {
  model?: string
  fields?: Record<string, unknown> | null
}

/** The faults that the last `validate` has found. */
function faultsFound (): string[] {
  // An optional field is a value or null. Only the error of the value is useful.
  const errors = (validate.errors ?? []).filter(({ keyword, schemaPath }) => keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type'))
  return errors.map(({ instancePath, keyword, params, message }) => {
    const field = instancePath.slice(1).replaceAll('/', '.')
    if (keyword === 'additionalProperties') return `${field === '' ? '' : `${field}.`}${params['additionalProperty']}: unknown field`
    return `${field === '' ? '' : `${field}: `}${keyword === 'pattern' ? 'not an email address' : message}`
  })
}

function userOf (at: string, line: Static<typeof Line>, belonging: Belonging): { user: ImportedUser, faults: string[] } {
  const faults: string[] = []
  const hash = line.password == null ? { kept: null } : takeHash(line.password)
  if ('fault' in hash) faults.push(`password: ${hash.fault}`)
  const plain = {
    email: normalizeEmail(line.email),
    nombre: plainText(line.nombre ?? [line.first_name, line.last_name].filter(Boolean).join(' '))
  }
  const { nombre = '', email = '' } = plain
  for (const [field, text] of Object.entries(plain)) {
    if (text === undefined) faults.push(`${field}: more than 30 combining marks in a row`)
    else if (text.includes('\0') || !text.isWellFormed()) faults.push(`${field}: NUL and lone surrogates are not allowed`)
  }
  if ([...nombre].length > 200) faults.push('nombre: more than 200 characters')
  const company = line.company ?? belonging.company ?? null
  const customer = line.customer ?? belonging.customer ?? null
  const level = line.nivel_acceso ?? belonging.nivel ?? null
  const memberships = [...line.memberships ?? []]
  if (level !== null && level <= 3) {
    if (company === null) faults.push(`nivel_acceso: level ${level} needs a company`)
    else memberships.push({ company, nivel_acceso: level })
  }
  if (level === 4 && company === null && customer === null) faults.push('nivel_acceso: level 4 needs a customer')
  if (new Set(memberships.map(({ company }) => company)).size < memberships.length) faults.push('memberships: duplicate company')
  return {
    user: {
      at,
      email,
      password: 'kept' in hash ? hash.kept : null,
      nombre: nombre === '' ? null : nombre,
      activo: line.is_active ?? null,
      customer,
      company,
      nivel: level !== null && level >= 4 ? level : null,
      memberships
    },
    faults
  }
}
