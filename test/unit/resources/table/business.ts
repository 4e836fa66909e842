import { registered } from '../../../../src/domain/resources.ts'
import type { Entry } from './resources.ts'
import type { Resource } from '../../../../src/resources/declaration/resource.ts'

let contract = 0

/** What the declarations of some resources do not tell. */
const particular: Record<string, Partial<Entry>> = {
  contracts: { alsoShown: ['children', 'monto_total', 'otras_monedas'] },
  estimates: {
    right: () => ({ contract }),
    beside: { periodo_inicio: { periodo_fin: '9999-12-31' }, periodo_fin: { periodo_inicio: '0001-01-01' }, deductivas: { monto: '9999999999999999.99' } },
    taken: {
      estado: [['"borrador"', 'borrador']],
      periodo_inicio: [['"0001-01-01"', '0001-01-01'], ['" 9999-12-31 "', '9999-12-31']],
      periodo_fin: [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31']]
    },
    fixed: ['contract'],
    // Without percentages, amounts derived from the largest amount still fit.
    prepare: async (director) => { contract = (await director.post('contracts/', { folio: 'TABLA-BASE', iva_porcentaje: '0' })).json().id }
  }
}

/** The registered resources, used by a Director. */
export const business: Entry[] = registered.map(resource => ({
  name: resource.name,
  schemas: resource.schemas,
  by: 'director@demo.example',
  outsider: { email: 'director@otra.example', status: 404 },
  ofCompany: true,
  bulk: true,
  deletedAgain: 404,
  right: number => requiredOf(resource, `Tabla ${number}`),
  change: number => ({ external_id: `cambio-${number}` }),
  unique: Object.fromEntries(resource.unique.map(field => [field, { [field]: 'ÚNICO' }])),
  references: Object.fromEntries(Object.entries(resource.references).map(([field, reference]) => [field, reference.resource])),
  ...particular[resource.name]
}))

/** The required fields of a body, all texts. */
function requiredOf ({ schemas }: Resource, text: string): Record<string, string> {
  return Object.fromEntries((schemas.create.required ?? []).map(field => [field, text]))
}
