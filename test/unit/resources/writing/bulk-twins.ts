import type { Test } from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { build, type Client } from '../../../support/helper.ts'

/** A resource with a bulk/. */
export type Name = 'contracts' | 'estimates' | 'contrapartes'

/** An item for both companies. `contract` and `parent` are external ids. */
export type Item = Record<string, unknown> & { external_id: string }

/** Outcome of items: index and errors of the first refused one. */
export interface Outcome {
  status: number
  refused?: number
  errors?: Record<string, string[]>
}

/** Two companies of one customer with the same records: one gets bulks, the other single requests. */
export interface Twins {
  /** Inserts the same row into both companies, or into none. @returns whether it was inserted */
  insert: (table: Name, row: Item) => Promise<boolean>
  /** Sets the state of contracts with that external id. */
  setState: (contract: string, estado: string) => Promise<void>
  inBulk: (name: Name, items: Item[]) => Promise<Outcome & { results: Row[] }>
  /** The results of a bulk with `partial`: records, or errors of refused items. */
  inPartialBulk: (name: Name, items: Item[]) => Promise<Row[]>
  /** The same results of single requests. A refused request does not stop later ones. */
  eachByItself: (name: Name, items: Item[]) => Promise<Row[]>
  oneByOne: (name: Name, items: Item[]) => Promise<Outcome & { results: Row[] }>
  /** Both companies' records of that tag, without ids and instants. */
  records: (tag: string) => Promise<[string, string]>
  /** The last value of each id sequence. */
  drawn: () => Promise<Row[]>
}

const references = { contracts: 'parent', estimates: 'contract', contrapartes: undefined }

/** Builds a server with two equal companies. */
export async function twins (t: Test): Promise<Twins> {
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  await psql("update users set company_id = 2 where email = 'corporativo@demo.example'")
  const [bulk, single] = [await as('director@demo.example'), await as('corporativo@demo.example')]
  const idOf = async (table: Name, company: number, name: unknown) => (await psql(`select id from ${table} where company_id = $1 and external_id = $2`, [company, name]))[0]?.['id'] as number | undefined

  /** The item with its external id replaced by the record's id in that company. */
  async function withReference (name: Name, company: number, item: Item): Promise<Item> {
    const field = references[name]
    if (field === undefined || item[field] == null) return item
    return { ...item, [field]: await idOf('contracts', company, item[field]) ?? 999_999 }
  }

  async function insertInto (table: Name, company: number, item: Item): Promise<void> {
    const { contract, parent, ...row } = await withReference(table, company, item)
    const entries = Object.entries({ company_id: company, ...row, ...contract === undefined ? {} : { contract_id: contract }, ...parent === undefined ? {} : { parent_id: parent } })
    await psql(`insert into ${table} (${entries.map(([column]) => column).join(', ')}) values (${entries.map((_, index) => `$${index + 1}`).join(', ')})`, entries.map(([, value]) => value))
  }

  const write = async (client: Client, name: Name, company: number, item: Item) => {
    const id = await idOf(name, company, item.external_id)
    const body = await withReference(name, company, item)
    return id === undefined ? await client.post(`${name}/`, body) : await client.send('PATCH', `${name}/${id}/`, body)
  }

  return {
    async insert (table, row) {
      const fits = await insertInto(table, 1, row).then(() => true, () => false)
      if (fits) await insertInto(table, 2, row)
      return fits
    },
    setState: async (contract, estado) => { await psql('update contracts set estado = $2 where external_id = $1', [contract, estado]) },
    async inBulk (name, items) {
      const response = await bulk.post(`${name}/bulk/`, { upsert: 'external_id', items: await Promise.all(items.map(async item => await withReference(name, 1, item))) })
      const { results = [], errors } = response.json()
      if (errors === undefined) return { status: response.statusCode, results }
      const refused = Math.min(...Object.keys(errors).map(field => Number(field.split('.')[1])))
      const own = Object.entries<string[]>(errors).filter(([field]) => field.startsWith(`items.${refused}.`))
      return { status: response.statusCode, refused, errors: Object.fromEntries(own.map(([field, messages]) => [field.split('.').slice(2).join('.'), messages])), results }
    },
    async inPartialBulk (name, items) {
      const response = await bulk.post(`${name}/bulk/`, { upsert: 'external_id', partial: true, items: await Promise.all(items.map(async item => await withReference(name, 1, item))) })
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json().results
    },
    async eachByItself (name, items) {
      const refused = new Map<Item, Row>()
      for (const item of items) {
        const { statusCode: status, json } = await write(single, name, 2, item)
        if (status >= 400) refused.set(item, { errors: json().errors ?? { non_field_errors: [json().detail] } })
      }
      return await Promise.all(items.map(async item => refused.get(item) ?? (await single.get(`${name}/${await idOf(name, 2, item.external_id)}/`)).json()))
    },
    async oneByOne (name, items) {
      for (const [index, item] of items.entries()) {
        const { statusCode: status, json } = await write(single, name, 2, item)
        if (status >= 400) return { status, refused: index, errors: json().errors ?? {}, results: [] }
      }
      const results = items.map(async ({ external_id: external }) => (await single.get(`${name}/${await idOf(name, 2, external)}/`)).json())
      return { status: 201, results: await Promise.all(results) }
    },
    async records (tag) {
      const of = async (company: number) => JSON.stringify(await psql(`
        select 'contrapartes' as what, p.external_id, jsonb_build_array(p.version, p.nombre, p.tipo, p.notas) as fields from contrapartes p where p.company_id = $1 and p.external_id like $2
        union all
        select 'contracts', c.external_id, jsonb_build_array(c.version, c.folio, c.monto, c.moneda, c.estado, c.descripcion, c.anticipo_porcentaje, a.external_id, p.nombre)
        from contracts c left join contracts a on a.id = c.parent_id left join contrapartes p on p.id = c.contraparte_id where c.company_id = $1 and c.external_id like $2
        union all
        select 'estimates', e.external_id, jsonb_build_array(e.version, c.external_id, e.numero, e.monto, e.deductivas, e.estado, e.periodo_inicio, e.periodo_fin, e.anticipo_porcentaje, e.amortizacion, e.retencion, e.subtotal, e.iva, e.neto)
        from estimates e join contracts c on c.id = e.contract_id where e.company_id = $1 and e.external_id like $2
        order by 1, 2`, [company, `${tag}%`]))
      return [await of(1), await of(2)]
    },
    // Without those of records that triggers write.
    drawn: async () => await psql("select sequencename::text as name, last_value as last from pg_sequences where sequencename like '%_id_seq' and sequencename not in ('history_id_seq', 'pagos_id_seq') order by 1")
  }
}
