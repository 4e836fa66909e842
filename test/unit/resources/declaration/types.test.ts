import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { defineResource } from '../../../../src/domain/define.ts'
import { money } from '../../../../src/resources/declaration/decimals.ts'
import { copied, generated, numberedWithin } from '../../../../src/resources/declaration/derived.ts'
import { choice, computed, instant, reference, text } from '../../../../src/resources/declaration/fields.ts'
import { linkResources } from '../../../../src/resources/declaration/links.ts'
import { Money } from '../../../../src/resources/declaration/schemas.ts'
import type { Transitions } from '../../../../src/resources/declaration/states.ts'

const names = { title: 'Obra', one: 'a work', many: 'works', spanish: { one: 'una obra', many: 'obras' }, search: { columns: [] } }
const fields = {
  contract: reference(contracts).required().fixed(),
  nombre: text(100).required(),
  estado: choice(['abierta', 'cerrada']).default('abierta'),
  fin: text(10).nullable(),
  doble: generated(money(), 'monto * 2'),
  monto: money().default('0.00'),
  pagado: computed(Money, 's.pagado')
}

// Each `@ts-expect-error` is an error of `npm run typecheck` if the compiler accepts the line after it.

t.test('rules get the values of the fields', (t) => {
  const obras = defineResource({
    name: 'obras',
    ...names,
    fields,
    rules: (next, current, given) => {
      const texts: Array<string | null | undefined> = [next.nombre, next.fin, given.fin, current?.fin]
      const states: Array<'abierta' | 'cerrada' | undefined> = [next.estado, current?.estado]
      const ids: Array<number | undefined> = [next.contract, current?.contract]
      // @ts-expect-error No field has this name.
      texts.push(next.nombres)
      // @ts-expect-error The field is null in some records.
      const fin: string | undefined = current?.fin
      // @ts-expect-error No body has a generated field.
      texts.push(given.doble)
      // @ts-expect-error Writes do not read a computed field.
      texts.push(current?.pagado)
      // @ts-expect-error The state is one of two words.
      if (next.estado === 'abierto') states.push(undefined)
      return [{ field: 'nombre', key: 'invalidValue', values: { input: [...texts, ...states, ...ids, fin].join() } }]
    },
    // @ts-expect-error The current record has no such field.
    conflict: (next, current) => next.monto !== current.importe ? 'conflict' : undefined
  })
  t.match(obras.rules({ nombre: 'a', estado: 'abierta', contract: 7 }, undefined, { fin: 'b' }), [{ field: 'nombre', values: { input: /^a,,b/ } }])
  t.end()
})

t.test('fields name only fields that exist', (t) => {
  const obras = defineResource({ name: 'obras', ...names, fields })
  const clave = text(10).required()
  const obra = reference(obras).required().fixed()
  const declare = { name: 'partidas', ...names, title: 'Partida' }
  t.type(defineResource({ ...declare, fields: { obra, contract: copied(reference(contracts), 'obra.contract'), clave: clave.uniqueWithin('obra') } }), 'object')
  // @ts-expect-error The work has no field `contrato`.
  t.type(defineResource({ ...declare, fields: { obra, contract: copied(reference(contracts), 'obra.contrato'), clave } }), 'object')
  // @ts-expect-error The line has no field `contrato`.
  t.throws(() => defineResource({ ...declare, fields: { obra, contract: reference(contracts).required().fixed(), otra: reference(obras).within('contrato', 'otherContract') } }), /contrato is no reference/)
  // @ts-expect-error The line has no field `work`.
  t.throws(() => defineResource({ ...declare, fields: { obra, contract: copied(reference(contracts), 'work.contract'), clave } }), /work is no reference/)
  // @ts-expect-error The line has no field `work`.
  t.throws(() => defineResource({ ...declare, fields: { obra, clave: clave.uniqueWithin('obra', 'work') } }), /work is no reference/)
  // @ts-expect-error The line has no field `work`.
  t.throws(() => defineResource({ ...declare, fields: { obra, numero: numberedWithin('work') } }), /work is no reference/)
  // @ts-expect-error The work has no field `nombres`.
  t.type(reference(obras, 'nombres'), 'object')
  // @ts-expect-error The work has no field `state`.
  t.type(defineResource({ ...declare, fields: { obra }, writableWhile: { obra: 'state', is: 'abierta', otherwise: 'conflict' } }), 'object')
  const effect = { on: ['insert'] as const, of: 'obra' as const, where: 'true' }
  // @ts-expect-error The work has no field `state`.
  t.type(defineResource({ ...declare, fields: { obra }, effects: [{ ...effect, set: { state: "'cerrada'" } }] }), 'object')
  // @ts-expect-error The line has no field `claves`.
  t.throws(() => defineResource({ ...declare, fields: { obra, clave }, search: { columns: ['claves'] } }))
  t.end()
})

t.test('numbers apart need a trigger of the resource', (t) => {
  const declare = (numero: ReturnType<typeof numberedWithin<'contract'>>) => defineResource({ ...names, name: 'obras', fields: { contract: reference(contracts).required().fixed(), numero } })
  t.throws(() => declare(numberedWithin('contract', "nombre = 'x'")), /obras: numero has numbers apart, .* keptBy\(\)/)
  t.type(declare(numberedWithin('contract', "nombre = 'x'").keptBy('number_works')), 'object')
  t.end()
})

t.test('only own fields that are not nullable keep numbers apart', (t) => {
  const contract = reference(contracts).required().fixed()
  const numbered = { contract, frente: text(100).default(''), opcional: text(100).nullable() }
  const declare = (by: 'contract' | 'frente' | 'opcional') => defineResource({
    ...names, name: 'obras', fields: { ...numbered, numero: numberedWithin('contract').apartBy(by) }
  })
  t.type(declare('frente'), 'object')
  for (const by of ['contract', 'opcional'] as const) {
    t.throws(() => declare(by), new RegExp(`numero: apartBy\\(\\) is for own fields that are not nullable, which ${by} is not`))
  }
  t.end()
})

t.test('what a state sets, it sets once', (t) => {
  const declare = (state: string, to: Transitions) => defineResource({
    ...names,
    name: 'obras',
    fields: { ...fields, estado: choice(['abierta', 'cerrada', 'otra']).default('abierta'), cerrada_en: instant().setAt(state) },
    states: { initial: 'abierta', to }
  })
  t.type(declare('cerrada', { abierta: ['cerrada'], cerrada: [] }), 'object')
  t.type(declare('abierta', { abierta: ['cerrada'], cerrada: [] }), 'object')
  for (const [state, to] of [
    ['cerrado', { abierta: ['cerrada'], cerrada: [] }],
    ['otra', { abierta: ['cerrada'], otra: ['cerrada'] }],
    ['cerrada', { abierta: ['cerrada'], cerrada: ['abierta'] }],
    ['cerrada', { abierta: ['cerrada'], cerrada: ['otra'], otra: ['abierta'] }]
  ] as const) {
    t.throws(() => declare(state, to), new RegExp(`obras: cerrada_en has setAt\\('${state}'\\), which must be a state that a record gets once`))
  }
  t.end()
})

t.test('a resource whose records are sealed has no other rule about deletes', (t) => {
  const estado = choice(['borrador', 'firmada']).default('borrador')
  t.throws(() => defineResource({
    ...names,
    name: 'obras',
    fields: { ...fields, estado },
    states: { to: { borrador: ['firmada'], firmada: [] } },
    changeableWhile: { is: 'borrador', otherwise: 'sealed' },
    kept: { sql: 'false', key: 'conflict' }
  }), /obras: its seal already refuses deletes/)
  t.end()
})

t.test('a resource with bulk/ and mutations has no prepare()', (t) => {
  const obras = defineResource({ ...names, name: 'obras', fields, prepare: async (_request, input) => input })
  t.throws(() => linkResources([obras]), /obras: bulk\/ and mutations do not run prepare\(\)/)
  t.end()
})

t.test('a sum is over a field of a registered resource', (t) => {
  const parent = (of: string, field: string) => defineResource({ name: 'obras', ...names, fields: { ...fields, monto: money().sumOf(of, field) } })
  const child = (to: ReturnType<typeof parent>) => defineResource({
    ...names, name: 'partidas', title: 'Partida', fields: { obra: reference(to).required(), importe: money() }
  })
  const link = (of: string, field: string) => {
    const obras = parent(of, field)
    return linkResources([obras, child(obras)])
  }
  t.equal(link('partidas', 'importe').length, 2)
  t.throws(() => link('lines', 'importe'), /obras\.monto: there is no resource lines/)
  t.throws(() => link('partidas', 'amount'), /obras\.monto: partidas has no field amount/)
  t.end()
})
