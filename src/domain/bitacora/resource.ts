import { Type } from '@sinclair/typebox'
import { byIndex, unsorted } from '../../database/by-index.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { idOfUser } from '../../resources/declaration/conditions.ts'
import { caller, numberedWithin } from '../../resources/declaration/derived.ts'
import { choice, computed, day, instant, reference, text } from '../../resources/declaration/fields.ts'
import { Id } from '../../resources/declaration/schemas.ts'
import { contracts } from '../contracts/resource.ts'
import { defineResource } from '../define.ts'

const kinds = ['apertura', 'instruccion', 'solicitud', 'autorizacion', 'suspension', 'informe', 'minuta', 'otra', 'cierre'] as const

/** SQL: the note `n` gets its signature, and meets a condition. */
const atSignature = (condition: string) => `n.estado = 'firmada' and o.estado = 'borrador' and ${condition}`

/** SQL: this user accepts the note `n`. */
const atAcceptanceBy = (column: string) => `n.estado = 'aceptada' and o.estado = 'firmada' and n.caller = ${idOfUser(column)}`

/** SQL: the last signed note of the log of `n`, if it meets a condition. */
const lastSigned = (condition: string) => `exists (select from (
    select u.tipo, u.fecha from bitacora u
    where u.company_id = n.company_id and u.contract_id = n.contract_id and u.frente = n.frente and u.numero is not null
    order by u.numero desc, ${unsorted} limit 1) u where ${condition} offset 0)`

/** SQL: the note that `n` refers to meets a condition. */
const referred = (field: string, where: string) =>
  `exists ${keyedRow('id', { table: 'bitacora', as: 'u', company: 'n.company_id', value: `n.${field}_id`, where })}`

/** SQL: the id of the first signed note that refers to the note `t` with this reference, or null. */
const signedReferringBy = (field: string) => byIndex(`(select u.id from bitacora u
      where u.company_id = t.company_id and u.${field}_id = by_index(t.id) and u.numero is not null order by u.id limit 1)`)

/** When a rule is checked. */
const ofNew = { only: 'new', held: 'row' } as const
const ofState = { only: 'changed', dependsOn: ['estado'], held: 'row' } as const

/**
 * The site log of a contract: notes that are signed, numbered and then never changed (LOPSRM 46, RLOPSRM 122 to 125). Each front of the
 * works has a log of its own.
 */
export const bitacora = defineResource({
  name: 'bitacora',
  title: 'Nota',
  one: 'a note of the site log',
  many: 'notes of the site log',
  about: 'Site log: signed notes about the works',
  spanish: { one: 'una nota de bitácora', many: 'notas de bitácora' },
  access: { read: 'read', write: 'edit', remove: 'edit' },
  fields: {
    contract: reference(contracts).required().fixed()
      .describe('Id of the contract.')
      .filterable('Id of the contract.', '1'),
    frente: text(100).default('').fixed()
      .describe('Front of the works, or an empty string. Each front of a contract has a log of its own.', 'Torre A')
      .filterable('Notes of this front.', 'Torre A'),
    numero: numberedWithin('contract').apartBy('frente').setAt('firmada').orderable()
      .describe('Number of the note in its log: 1, 2, … without gaps. The signature sets it. Null before.', 4),
    tipo: choice(kinds).default('otra')
      .describe('Kind of the note. The first signed note of a log is its `apertura`. After a signed `cierre`, no note is signed.', 'otra')
      .filterable('Notes of this kind.'),
    asunto: text(200).required()
      .describe('Subject.', 'Colado de la losa del nivel 3'),
    texto: text(8000).required()
      .describe('Text of the note.', 'Se autoriza el colado de la losa del nivel 3, ejes A a C, a partir de las 8:00 horas.'),
    fecha: day().required().orderable()
      .describe('Day of the note. At the signature, it is not before the day of the last signed note of the log.', '2026-03-14')
      .bound('desde', '>=', 'Notes of this day or later.')
      .bound('hasta', '<=', 'Notes of this day or earlier.'),
    responde_a: reference('self').nullable().fixed().within('contract', 'otherContract')
      .describe('Id of the signed note that this one answers, of the same contract, or null.', null)
      .filterable('Id of the note that the notes answer, or `null`.', '1')
      .filterableIf('sin_respuesta', `t.numero is not null and not exists ${signedReferringBy('responde_a')}`,
        'Signed notes that no signed note answers (`true`), or all others (`false`).'),
    anula: reference('self').nullable().fixed().within('contract', 'otherContract')
      .describe('Id of the signed note that this one annuls, of the same contract and author, or null.', null),
    anulada_por: computed(Type.Integer(Id), signedReferringBy('anula')).nullable()
      .describe('Id of the signed note that annuls this one, or null.', null),
    autor: caller()
      .describe('User who created the note.', { id: 3, nombre: 'Carlos Coordinador' })
      .filterable('Id of the user who created the notes, or `null`.', '3'),
    firmante: caller().setAt('firmada')
      .describe('User who signed the note. Null before the signature.', { id: 3, nombre: 'Carlos Coordinador' }),
    firmada_en: instant().setAt('firmada')
      .describe('Time of the signature. Null before.', '2026-03-14T15:04:05.123456Z'),
    aceptada_por: caller().setAt('aceptada')
      .describe('User who accepted the note. Null before.', { id: 4, nombre: 'Daniela Director' }),
    aceptada_en: instant().setAt('aceptada')
      .describe('Time of the acceptance. Null before.', '2026-03-14T18:30:00.000000Z'),
    estado: choice(['borrador', 'firmada', 'aceptada']).default('borrador')
      .describe('State: `borrador` → `firmada` → `aceptada`. A user other than the signer accepts the note.')
      .filterable('Notes in this state.')
  },
  search: { columns: ['asunto', 'texto'] },
  table: {
    checks: [{ name: 'bitacora_numero_check', expression: "(estado = 'borrador') = (numero is null)", field: 'estado' }],
    // For foreign keys that contain the contract.
    uniques: [{ name: 'bitacora_contract_id_unique', properties: ['company', 'contract', 'id'] }]
  },
  states: { initial: 'borrador', to: { borrador: ['firmada'], firmada: ['aceptada'], aceptada: [] } },
  changeableWhile: { is: 'borrador', otherwise: 'sealed' },
  constraints: [
    { field: 'responde_a', key: 'notSigned', name: 'bitacora_answered_signed', ...ofNew, sql: referred('responde_a', 'u.numero is null') },
    { field: 'anula', key: 'notSigned', name: 'bitacora_annulled_signed', ...ofNew, sql: referred('anula', 'u.numero is null') },
    {
      field: 'anula',
      key: 'notAuthor',
      name: 'bitacora_annulled_by_author',
      ...ofNew,
      // A note that psql wrote has no author, so no user is its author.
      sql: referred('anula', `n.caller is not null and ${idOfUser('u.autor')} is distinct from n.caller`)
    },
    {
      field: 'tipo',
      key: 'notFirst',
      name: 'bitacora_opened',
      ...ofState,
      sql: atSignature(`(n.tipo = 'apertura') = ${lastSigned('true')}`)
    },
    { field: 'fecha', key: 'beforeLast', name: 'bitacora_in_order', ...ofState, sql: atSignature(lastSigned('u.fecha > n.fecha')) },
    { field: 'estado', key: 'closed', name: 'bitacora_not_closed', ...ofState, sql: atSignature(lastSigned("u.tipo = 'cierre'")) },
    { field: 'estado', key: 'ownNote', name: 'bitacora_accepted_by_other', ...ofState, sql: atAcceptanceBy('o.firmante') }
  ],
  // A signature decides which note is the next one of its log.
  order: ({ contract, frente, estado }, current) =>
    ({ group: JSON.stringify([contract, frente]), decides: current !== undefined && estado !== current.estado }),
  routes: {
    update: {
      description: 'A change of `estado` to `firmada` signs the note. Then only `external_id` and the acceptance can change; ' +
        'otherwise the answer is 409.'
    },
    remove: { description: 'Only a `borrador` can be deleted; otherwise the answer is 409.' }
  },
  examples: {
    create: {
      contract: 2,
      frente: 'Torre A',
      tipo: 'solicitud',
      asunto: 'Colado de la losa del nivel 3',
      texto: 'Se solicita autorización para el colado.',
      fecha: '2026-03-14',
      external_id: 'ERP-4711'
    },
    patch: { asunto: 'Colado de la losa del nivel 4' }
  }
})
