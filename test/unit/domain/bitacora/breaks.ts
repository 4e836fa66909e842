import { succeeded } from '../../../support/succeeded.ts'
import { breaking, type BreaksOf } from '../held-rules.ts'

/** What breaks each rule of the site log. */
export const breaks: BreaksOf = ({ director, contract, as }) => {
  const { edit, add } = breaking(director)
  const body = { asunto: 'Colado', texto: 'Se inicia el colado.', fecha: '2026-03-14' }
  const note = async (of: number, fields: object = {}): Promise<number> => succeeded(await director.post('bitacora/', { contract: of, ...body, ...fields })).id
  const sign = async (id: number) => {
    succeeded(await director.send('PATCH', `bitacora/${id}/`, { estado: 'firmada' }))
    return id
  }
  const opened = async (fields: object = {}) => {
    const of = await contract()
    return { of, opening: await sign(await note(of, { tipo: 'apertura', ...fields })) }
  }
  return {
    bitacora_fixed: async () => edit('bitacora', (await opened()).opening, { texto: 'Otro' }),
    bitacora_transition: async () => edit('bitacora', await note(await contract()), { estado: 'aceptada' }),
    bitacora_answered_signed: async () => {
      const of = await contract()
      return add('bitacora', { contract: of, ...body, responde_a: await note(of) })
    },
    bitacora_annulled_signed: async () => {
      const of = await contract()
      return add('bitacora', { contract: of, ...body, anula: await note(of) })
    },
    bitacora_opened: async () => edit('bitacora', await note(await contract()), { estado: 'firmada' }),
    bitacora_in_order: async () => edit('bitacora', await note((await opened({ fecha: '2026-03-15' })).of), { estado: 'firmada' }),
    bitacora_not_closed: async () => {
      const { of } = await opened()
      await sign(await note(of, { tipo: 'cierre' }))
      return edit('bitacora', await note(of), { estado: 'firmada' })
    },
    bitacora_accepted_by_other: async () => edit('bitacora', (await opened()).opening, { estado: 'aceptada' }, { by: 'director@demo.example' }),
    bitacora_annulled_by_author: async () => {
      const { of, opening } = await opened()
      return {
        http: async () => await (await as('coordinador@demo.example')).post('bitacora/', { contract: of, ...body, anula: opening }),
        psql: [`insert into bitacora (company_id, contract_id, asunto, texto, fecha, anula_id)
          select 1, $1, '', '', '2026-03-14', $2 from (select set_config('app.user', '1', true)) s where s is not null`, [of, opening]]
      }
    }
  }
}
