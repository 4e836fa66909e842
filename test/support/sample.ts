import type { Row } from '../../src/database/connection/sql.ts'
import type { FieldSpec } from '../../src/resources/declaration/field-spec.ts'
import type { Resource } from '../../src/resources/declaration/resource.ts'

/** A resource as its samples need it. */
type Sampled = Pick<Resource, 'name' | 'schemas' | 'fields' | 'references'>

/** The declared fields of a resource with their parts. */
export function specsOf ({ fields }: Pick<Resource, 'fields'>): Array<[field: string, spec: FieldSpec]> {
  return Object.entries(fields).map(([field, { spec }]) => [field, spec])
}

/** Whether a field has texts of the user. */
export function isFreeText ({ type, input, reference }: FieldSpec): boolean {
  return type === 'text' && reference === undefined && input?.['text'] === true
}

/** The required fields of a new record of a contract: a text for each text, and the values of the declared example for the others. */
export function sampleOf ({ schemas, fields, references }: Sampled, text: string): Record<string, unknown> {
  const [example = {}]: Array<Record<string, unknown>> = schemas.create['examples'] ?? []
  const required: string[] = schemas.create['required'] ?? []
  const own = required.filter(field => references[field] === undefined)
  return Object.fromEntries(own.map(field => [field, fields[field] !== undefined && isFreeText(fields[field].spec) ? text : example[field] ?? text]))
}

/** Whether the records of a resource need nothing but a contract. */
export function needsOnlyContract ({ schemas, references }: Sampled): boolean {
  const required: string[] = schemas.create['required'] ?? []
  return required.filter(field => references[field] !== undefined).join() === 'contract'
}

/** Inserts a record of a contract with psql. @returns its id */
export async function insertSample (psql: (text: string, values?: unknown[]) => Promise<Row[]>, { name }: Pick<Resource, 'name'>, contract: number, values: Record<string, unknown>): Promise<number> {
  const fields = Object.keys(values)
  const columns = ['company_id', 'contract_id', ...fields].join(', ')
  const [row] = await psql(
    `insert into ${name} (${columns}) select ${['company_id', 'id', ...fields.map((_, place) => `$${place + 2}`)].join(', ')} from contracts where id = $1 returning id`,
    [contract, ...Object.values(values)])
  return row?.['id'] as number
}
