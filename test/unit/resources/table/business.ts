import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import type { Entry } from './resources.ts'

let contract = 0

const common = {
  by: 'director@demo.example',
  outsider: { email: 'director@otra.example', status: 404 },
  ofCompany: true,
  bulk: true,
  deletedAgain: 404,
  change: (number: number) => ({ external_id: `cambio-${number}` })
} as const
const external = { external_id: { external_id: 'ÚNICO' } }

/** The resources of a company, used by a Director. */
export const business: Entry[] = [
  {
    ...common,
    name: 'contracts',
    schemas: contracts.schemas,
    right: number => ({ folio: `TABLA-${number}` }),
    unique: { ...external, folio: { folio: 'ÚNICO' } },
    alsoShown: ['children', 'monto_total', 'otras_monedas'],
    references: { contraparte: 'contrapartes', parent: 'contracts' }
  },
  {
    ...common,
    name: 'contrapartes',
    schemas: contrapartes.schemas,
    right: number => ({ nombre: `Tabla ${number}` }),
    unique: { ...external, nombre: { nombre: 'ÚNICO' } },
    references: {}
  },
  {
    ...common,
    name: 'estimates',
    schemas: estimates.schemas,
    right: () => ({ contract }),
    unique: external,
    beside: { periodo_inicio: { periodo_fin: '9999-12-31' }, periodo_fin: { periodo_inicio: '0001-01-01' }, deductivas: { monto: '9999999999999999.99' } },
    taken: { estado: [['"borrador"', 'borrador']], periodo_inicio: [['"0001-01-01"', '0001-01-01'], ['" 9999-12-31 "', '9999-12-31']], periodo_fin: [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31']] },
    fixed: ['contract'],
    references: { contract: 'contracts' },
    // Without percentages, amounts derived from the largest amount still fit.
    prepare: async (director) => { contract = (await director.post('contracts/', { folio: 'TABLA-BASE', iva_porcentaje: '0' })).json().id }
  }
]
