import type { Row } from '../../../../../../src/database/connection/sql.ts'
import type { Client, TestServer } from '../../../../../support/helper.ts'

/** A resource with a bulk/ route, and how to make items of it. */
export interface Sample {
  name: 'contracts' | 'contrapartes' | 'estimates'
  /** The required fields of an item, with valid values; unique ones differ by number. */
  item: (number: number) => Record<string, unknown>
  /** The unique fields, by which `upsert` can find records. */
  keys: string[]
  /** A field with the same value in every item: invalid by the schema, then valid for it but invalid for the database. */
  wrong: { schema: Record<string, unknown>, database: Record<string, unknown>, messages: [schema: Row, database: Row] }
}

/** The three resources. Estimates belong to the demo data's first contract. */
export const samples: Sample[] = [
  {
    name: 'contracts',
    item: number => ({ folio: `B-${number}` }),
    keys: ['external_id', 'folio'],
    wrong: {
      schema: { monto: '1.005', nada: 1 },
      database: { parent: 999_999, contraparte: 'nadie' },
      messages: [
        { monto: ['Ensure that there are no more than 2 decimal places.'], nada: ['Unknown field.'] },
        { parent: ['Invalid pk "999999" - object does not exist.'], contraparte: ['Object with nombre=nadie does not exist.'] }
      ]
    }
  },
  {
    name: 'contrapartes',
    item: number => ({ nombre: `B ${number}` }),
    keys: ['external_id', 'nombre'],
    wrong: {
      schema: { rfc: 'X', nada: 1 },
      database: { nombre: 'Acabados Finos Tlalli, S.A. de C.V.' },
      messages: [{ rfc: ['Enter a valid RFC: 3 or 4 letters, a date as YYMMDD, then 2 letters or digits and a digit or A, such as GODE561231GR8.'], nada: ['Unknown field.'] }, { nombre: ['This field must be unique.'] }]
    }
  },
  {
    name: 'estimates',
    item: number => ({ contract: 1, descripcion: `B ${number}` }),
    keys: ['external_id'],
    wrong: {
      schema: { monto: '1.005', nada: 1 },
      database: { contract: 999_999 },
      messages: [
        { monto: ['Ensure that there are no more than 2 decimal places.'], nada: ['Unknown field.'] },
        { contract: ['Invalid pk "999999" - object does not exist.'] }
      ]
    }
  }
]

/** Messages by index and field, as in a bulk answer. */
export function indexed (index: number, errors: Row): Row {
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [`items.${index}.${field}`, messages]))
}

/** All effects of writes to business data, as one text. */
export async function traces ({ psql }: TestServer): Promise<string> {
  const [row] = await psql(`
    select (select json_agg(r order by company_id) from company_revisions r)::text as revisions, (select json_agg(c order by revision, resource, record_id) from changes c)::text as changes,
      (select json_agg((id, version) order by id) from contracts)::text as contracts, (select json_agg((id, version) order by id) from contrapartes)::text as contrapartes,
      (select json_agg((id, version) order by id) from estimates)::text as estimates, (select count(*) from idempotency_keys) as keys`)
  return JSON.stringify(row)
}

/** Creates a record and returns it. */
export async function made (client: Client, name: string, body: Record<string, unknown>): Promise<Row> {
  const response = await client.post(`${name}/`, body)
  if (response.statusCode !== 201) throw new Error(`${name}: ${response.body}`)
  return response.json()
}
