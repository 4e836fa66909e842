import type { FastifyRequest } from 'fastify'
import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import type { FieldSpec } from './field-spec.ts'
import {
  BulkAnswer, BulkBody, CountExact, ListQuery, mostItems, Paged, PartialBulkAnswer, RecordQuery, TotalsQuery
} from './list-schemas.ts'
import { Body, Nullable, Past } from './schemas.ts'
import { moneyForm } from '../validation/keywords.ts'

/** The name of a field and its declaration. */
export type Spec = readonly [field: string, spec: FieldSpec]

/** A field that only the answer to POST has, such as a secret. The answer that is stored under an Idempotency-Key has it sealed. */
export interface ShownOnce {
  field: string
  schema: TSchema
  /** The internal field that has its value sealed. */
  sealedIn: string
  open: (request: FastifyRequest, sealed: string) => string
}

/** The schemas of a resource's routes. */
export interface Schemas {
  /** A record in a list. `record` is a single record. */
  item: TObject
  record: TObject
  /** A record in the answer to POST. */
  created: TObject
  create: TObject
  update: TObject
  patch: TObject
  bulk: TObject
  bulkAnswer: TObject
  partialBulkAnswer: TObject
  page: TObject
  listQuery: TObject
  recordQuery: TObject
}

/** The parts of a declaration for its schemas. */
interface RouteFields {
  title: string
  /** Schemas of the fields before the resource's own. */
  head: TProperties
  specs: Spec[]
  /** Fields of lists and single records. */
  items: Spec[]
  /** Fields of single records only. */
  details: Spec[]
  /** Fields of other answers that bodies can send back. */
  alsoShown: readonly string[]
  once: ShownOnce | undefined
  examples: { create?: object, update?: object, patch?: object }
  /** Maximum items of a bulk. */
  maxItems?: number | undefined
  orderings: string[]
  filters: TProperties
  /** Schema of the sums of a list, if it can return them. */
  totals?: TSchema | undefined
  /** Whether the list can be searched. */
  isSearched: boolean
}

/** Derives the schemas of a resource's routes from its fields. */
export function routeSchemas (resource: RouteFields): Schemas {
  const { title, head, items, details, once, orderings, filters, totals, isSearched } = resource
  const properties = (some: Spec[]) => Object.fromEntries(some.map(([field, spec]) => [field, shownSchema(spec)]))
  const item = Type.Object({ ...head, ...properties(items), ...Past }, { title: details.length === 0 ? title : `${title}Item` })
  const record = details.length === 0 ? item : Type.Object({ ...item.properties, ...properties(details) }, { title })
  const { item: bulkItem, ...inputs } = bodies(resource, record)
  return {
    item,
    record,
    created: once === undefined ? record : Type.Object({ ...record.properties, [once.field]: once.schema }, { title: `Created${title}` }),
    ...inputs,
    bulk: BulkBody(bulkItem, record, resource.maxItems ?? mostItems, keysOf(resource.specs)),
    bulkAnswer: BulkAnswer(record),
    partialBulkAnswer: PartialBulkAnswer(record),
    page: Paged(item, { ...totals === undefined ? {} : { totals }, count_exact: CountExact }),
    listQuery: ListQuery(
      Object.keys(item.properties), ['id', ...orderings].flatMap(field => [field, `-${field}`]),
      totals === undefined ? filters : { ...filters, totals: TotalsQuery }, isSearched, item.title),
    recordQuery: RecordQuery(Object.keys(record.properties), title)
  }
}

/** The fields by which items of a bulk can find existing records: those with unique values that bodies can give, `external_id` first. */
function keysOf (specs: Spec[]): string[] {
  const isSelf = (reference: string) => specs.some(([field, spec]) => field === reference && spec.reference?.resource === 'self')
  const isKey = ({ isUnique, uniqueWithin }: FieldSpec) => isUnique === true || uniqueWithin?.some(isSelf) === false
  const keys = specs.filter(([, spec]) => spec.input !== undefined && isKey(spec)).map(([field]) => field)
  return keys.sort((a, b) => Number(b === 'external_id') - Number(a === 'external_id'))
}

/** The schema of a field in answers. */
export function shownSchema ({ shown, isNullable, description, examples, deprecated }: FieldSpec): TSchema {
  if (shown === undefined) throw new Error('answers do not have the field')
  const words = {
    ...description === undefined ? {} : { description },
    ...examples === undefined ? {} : { examples },
    ...deprecated === undefined ? {} : { deprecated }
  }
  return isNullable === true ? Nullable(shown, words) : { ...shown, ...words }
}

function inputSchema ({ input, isNullable, isNullRefused, fallback, inputWords = {}, deprecated }: FieldSpec): TSchema {
  if (input === undefined) throw new Error('bodies do not have the field')
  const schema: TSchema = { ...input, ...inputWords, ...deprecated === undefined ? {} : { deprecated } }
  const checked: TSchema = schema['text'] === true && fallback !== '' ? { ...schema, minLength: 1 } : schema
  if (isNullable !== true) return checked
  if (isNullRefused === true) return Nullable(checked, { sentBack: true })
  const { money, decimal = money === true ? moneyForm : undefined, ...others } = checked
  if (decimal !== undefined) return Type.Unsafe({ ...others, decimal: { ...decimal, nullable: true } })
  const { type } = schema
  return Array.isArray(type) ? { ...checked, type: [...type, 'null'] } : Nullable(checked)
}

function bodies (
  { title, specs, alsoShown, once, examples }: RouteFields, record: TObject
): Pick<Schemas, 'create' | 'update' | 'patch'> & { item: TObject } {
  const inputs = specs.filter(([, { input }]) => input !== undefined)
  const body = (kind: string, isRequired: (spec: FieldSpec) => boolean, isTaken: (spec: FieldSpec) => boolean, example?: object) => {
    const of = (required: boolean) => Object.fromEntries(
      inputs.filter(([, spec]) => isTaken(spec) && isRequired(spec) === required).map(([field, spec]) => [field, inputSchema(spec)])
    )
    return Body(of(true), of(false), record, {
      alsoShown: once === undefined ? alsoShown : [...alsoShown, once.field],
      title: `${title}${kind}`,
      ...example === undefined ? {} : { examples: [example] }
    })
  }
  const required = ({ isRequired }: FieldSpec) => isRequired === true
  const ofNew = ({ taken }: FieldSpec) => taken !== 'on update'
  const create = body('Body', required, ofNew, examples.create)
  const differs = inputs.some(([, { taken }]) => taken !== undefined)
  return {
    create,
    // An item of an upsert can be for an existing record, which needs no field. So `itemsOf` checks the required ones.
    item: body('BulkItem', () => false, ofNew, examples.create),
    update: differs
      ? body('Put', ({ isRequired, taken }) => isRequired === true && taken === undefined, () => true, examples.update)
      : create,
    patch: body('Patch', () => false, () => true, examples.patch)
  }
}
