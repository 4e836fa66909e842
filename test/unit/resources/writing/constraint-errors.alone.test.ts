import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Access } from '../../../../src/auth/access.ts'
import { brokenConstraints } from '../../../../src/database/connection/channels.ts'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { defineResource } from '../../../../src/domain/define.ts'
import { resources } from '../../../../src/domain/resources.ts'
import { money } from '../../../../src/resources/declaration/decimals.ts'
import { integer, reference, text } from '../../../../src/resources/declaration/fields.ts'
import { linkResources } from '../../../../src/resources/declaration/links.ts'
import { changeFeed } from '../../../../src/resources/feed/feed.ts'
import { mutate } from '../../../../src/resources/mutations/mutate.ts'
import type { MutationRequest } from '../../../../src/resources/mutations/schemas.ts'
import { bulk, create, patch, remove } from '../../../../src/resources/writing/handlers.ts'
import { buildWith } from '../../../support/extra-routes.ts'
import { sayIn } from '../../../../src/http/errors.ts'
import { load } from '../../../../src/database/schema/load.ts'
import { declaredBy } from '../../../../src/database/schema/declared.ts'
import { entities } from '../../../../src/domain/entities/index.ts'

/** A resource with constraints that no rule checks before a write. */
const piezas = defineResource({
  name: 'piezas',
  title: 'Pieza',
  one: 'a piece',
  many: 'pieces',
  spanish: { one: 'una pieza', many: 'piezas' },
  fields: {
    contract: reference(contracts).required(),
    clave: text(20).required(),
    corta: text(20).default(''),
    dia: integer(0, 1000).nullable(),
    minimo: integer(0, 1000).default(0),
    maximo: integer(0, 1000).default(0),
    precio: money().default('0.00')
  },
  search: { columns: [] },
  table: {
    checks: [
      { name: 'piezas_orden', expression: 'minimo <= maximo', field: 'maximo', key: 'endBeforeStart' },
      { name: 'piezas_dia_exclusion', expression: 'exclude …', field: 'dia', key: 'periodOverlaps' }
    ],
    raises: { piezas_cerradas: { conflict: 'contractClosed' } }
  }
})

const ddl = [
  `create table piezas (
    id bigserial primary key, company_id int not null references companies, external_id varchar(128), created_at timestamptz(6) not null default clock_timestamp(),
    updated_at timestamptz(6) not null default clock_timestamp(), version int not null default 1, contract_id bigint not null, clave varchar(20) not null,
    corta varchar(5) not null, dia int, minimo int not null, maximo int not null, precio numeric(18, 2) not null, doble numeric(6, 2) generated always as (precio * 2) stored,
    constraint piezas_company_id_unique unique (company_id, id),
    constraint piezas_clave_unique unique (company_id, clave),
    constraint piezas_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
    constraint piezas_orden check (minimo <= maximo),
    constraint piezas_corta_check check (corta <> 'mala'),
    constraint reglas_secretas check (clave <> 'SECRETA'),
    constraint piezas_dia_exclusion exclude using gist (int4range(dia, dia, '[]') with &&) where (dia is not null))`,
  'alter table company_revisions add piezas int not null default 0',
  'grant select, insert, update, delete on piezas to obra_app',
  'grant usage, select on sequence piezas_id_seq to obra_app',
  `create function change_pieza() returns trigger language plpgsql as $$ begin
    if new.clave = 'NULA' then new.corta = null; end if;
    if new.clave = 'PERDIDA' then new.contract_id = 999999; end if;
    if new.clave = 'CERRADA' then raise exception 'closed' using errcode = 'check_violation', constraint = 'piezas_cerradas'; end if;
    return new;
  end $$`,
  'create trigger change_pieza before insert or update on piezas for each row execute function change_pieza()'
]

const all = [...resources, piezas]
const feed = changeFeed(all)
linkResources(all)

function routes (app: FastifyInstance): void {
  app.register(async (app) => {
    app.addHook('onRequest', async (request, reply) => await app.authorize(request, reply, request.routeOptions.config.access as Access))
    app.post('/', create(piezas))
    app.post('/bulk/', bulk(piezas))
    app.patch('/:id/', patch(piezas))
    app.delete('/:id/', remove(piezas))
    app.post<{ Body: MutationRequest }>('/mutations/', { config: { access: 'read' }, schema: { hide: true } },
      async request => await mutate(request.tenant, feed, all, request.body, sayIn('en'), 'user 1'))
  }, { prefix: '/api/v1/piezas' })
}

/** A body that violates a constraint, and the errors. */
const violations: Array<[state: string, body: object, errors: Record<string, string[]>]> = [
  ['23505', { clave: 'UNA' }, { clave: ['This field must be unique.'] }],
  ['23P01', { dia: 7 }, { dia: ['The period overlaps the period of another estimate of the contract.'] }],
  ['23514, with a message of its own', { minimo: 2, maximo: 1 }, { maximo: ['fecha_fin may not be before fecha_inicio.'] }],
  ['23514, named by convention', { corta: 'mala' }, { corta: ['This value is not valid.'] }],
  ['23503', { clave: 'PERDIDA' }, { contract: [/^Invalid pk "\d+" - object does not exist\.$/ as unknown as string] }],
  ['23502', { clave: 'NULA' }, { corta: ['This field may not be null.'] }],
  ['23514, without a known name', { clave: 'SECRETA' }, { non_field_errors: ['These values break a rule of the data.'] }],
  ['22001', { corta: 'demasiado' }, { non_field_errors: ['These values break a rule of the data.'] }],
  ['22003', { precio: '9999.00' }, { non_field_errors: ['A number, or an amount that is calculated from it, is too large.'] }]
]

t.test('constraints without a rule are answered by their names', async (t) => {
  const { as, psql } = await buildWith(t, routes)
  for (const statement of ddl) await psql(statement)
  await load(psql, declaredBy([...entities, piezas.entity].map(({ meta }) => meta)))
  const director = await as('director@demo.example')
  const contract = (await director.post('contracts/', { folio: 'PIEZAS' })).json().id
  t.equal((await director.post('piezas/', { contract, clave: 'UNA', dia: 7 })).statusCode, 201)
  const other = (await director.post('piezas/', { contract, clave: 'OTRA' })).json().id
  const published: unknown[] = []
  const note = (error: unknown) => published.push(error)
  brokenConstraints.subscribe(note)
  t.teardown(() => brokenConstraints.unsubscribe(note))

  let number = 0
  for (const [state, body, errors] of violations) {
    const whole = () => ({ contract, clave: `P-${++number}`, ...body })
    t.match((await director.post('piezas/', whole())).json(), { errors }, `${state}, POST`)
    t.match((await director.send('PATCH', `piezas/${other}/`, body)).json(), { errors }, `${state}, PATCH`)
    const inItem = Object.fromEntries(Object.entries(errors).map(([field, messages]) => [`items.1.${field}`, messages]))
    const answer = await director.post('piezas/bulk/', { items: [{ contract, clave: `P-${++number}` }, whole(), { contract, clave: `P-${++number}` }] })
    t.strictSame([answer.statusCode, Object.keys(answer.json().errors)], [400, Object.keys(inItem)], `${state}, bulk`)
    t.match(answer.json().errors, inItem)
    const alone = await director.post('piezas/bulk/', { items: [whole()] })
    t.strictSame([alone.statusCode, Object.keys(alone.json().errors)], [400, Object.keys(errors).map(field => `items.0.${field}`)], `${state}, bulk of one`)
    const mutations = [{ id: 1, op: 'create', resource: 'piezas', body: { contract, clave: `P-${++number}` } }, { id: 2, op: 'create', resource: 'piezas', body: whole() }, { id: 3, op: 'update', resource: 'piezas', record: other, body }]
    t.match((await director.post('piezas/mutations/', { device: randomUUID(), mutations })).json().results, [{ status: 201 }, { status: 400, errors }, { status: 400, errors }], `${state}, mutations`)
  }
  t.ok(published.length > 0 && published.every(error => ['23514', '22001', '22003'].includes((error as { code: string }).code)), 'errors without a known name are published for the log')

  const closed = await director.post('piezas/', { contract, clave: 'CERRADA' })
  t.match([closed.statusCode, closed.json()], [409, { code: 'conflict', detail: 'This contract is closed. A "terminado" contract accepts only a finiquito.' }])
  t.match((await director.post('piezas/bulk/', { items: [{ contract, clave: 'B-1' }, { contract, clave: 'CERRADA' }] })).json(), { code: 'conflict', errors: { 'items.1': ['This contract is closed. A "terminado" contract accepts only a finiquito.'] } })

  const refused = await director.send('DELETE', `contracts/${contract}/`)
  t.strictSame([refused.statusCode, refused.json().code], [409, 'protected'])
  t.match(refused.json().detail, /^This contract cannot be deleted while it has pieces \(\d+\)\.$/)
  const { id } = (await director.post('contracts/', { folio: 'AJENO' })).json()
  await psql('create table ajenas (company_id int, contract_id bigint, foreign key (company_id, contract_id) references contracts (company_id, id))')
  await psql('insert into ajenas select company_id, id from contracts where id = $1', [id])
  t.match([(await director.send('DELETE', `contracts/${id}/`)).json()], [{ code: 'protected' }], 'a table that the service does not know protects too')
})

t.test('a unique value that another writer takes between check and write', async (t) => {
  const { as, psql } = await buildWith(t, () => {})
  await psql(`create function race() returns trigger language plpgsql as $$ begin
    if new.descripcion = 'carrera' then new.folio = 'ON-2026-001'; end if;
    return new;
  end $$`)
  await psql('create trigger race before update on contracts for each row execute function race()')
  const director = await as('director@demo.example')
  const { id } = (await director.post('contracts/', { folio: 'CARRERA' })).json()
  t.match((await director.send('PATCH', `contracts/${id}/`, { descripcion: 'carrera' })).json(), { errors: { folio: ['This field must be unique.'] } })
  t.match((await director.send('PATCH', `contracts/${id}/`, { descripcion: 'carrera' }, { 'accept-language': 'es' })).json().errors.folio, [/único/])
})
