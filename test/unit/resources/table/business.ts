import { messages } from '../../../../src/http/messages.ts'
import { moved as movedTo, toAuthorized } from '../../../support/moved.ts'
import { registered } from '../../../../src/domain/resources.ts'
import { needsOnlyContract, sampleOf } from '../../../support/sample.ts'
import type { Entry } from './resources.ts'
import type { Resource } from '../../../../src/resources/declaration/resource.ts'

let contract = 0
let catalogued = 0
let measured = {}
let payable = 0
let moved = 0
let planned = 0
let attached = 0

/** Days that are not in the future. */
const pastDays: NonNullable<Entry['taken']>[string] = [['"0001-01-01"', '0001-01-01'], ['" 2024-02-29 "', '2024-02-29'], ['"2024-2-9"', '2024-02-09']]

/** What the declarations of some resources do not tell. */
const particular: Record<string, Partial<Entry>> = {
  contracts: { alsoShown: ['children', 'monto_total', 'otras_monedas'] },
  conceptos: {
    right: number => ({ contract: catalogued, clave: `Tabla ${number}`, unidad: 'm2', cantidad: '1', precio_unitario: '1' }),
    fixed: ['contract', 'convenio'],
    async prepare (director, { as }) {
      // The other company has a change order too, so that its id can be tried.
      for (const client of [await as('director@otra.example'), director]) {
        catalogued = (await client.post('contracts/', { folio: 'TABLA-CATÁLOGO' })).json().id
        await client.post('convenios/', { contract: catalogued })
      }
    }
  },
  convenios: {
    right: () => ({ contract }),
    taken: { estado: [['"borrador"', 'borrador']], fecha_autorizacion: pastDays, fecha_firma: pastDays },
    fixed: ['contract'],
    prepare: async (director) => { contract = (await director.post('contracts/', { folio: 'TABLA-CONVENIOS' })).json().id }
  },
  generadores: {
    right: () => ({ ...measured, piezas: '1' }),
    // The quantity is the product of the dimensions, or given without any.
    beside: { cantidad: { piezas: null }, piezas: { largo: '1' } },
    taken: Object.fromEntries(['piezas', 'largo', 'ancho', 'alto', 'cantidad'].map(field => [field, [
      ['0', '0.0000'], ['"99999999999998.9999"', '99999999999998.9999'], ['99999999999998.9999', '99999999999998.9999'], ['" 7.5 "', '7.5000'], ['-0', '0.0000'], ['-2', '-2.0000']
    ]])),
    fixed: ['estimate', 'concepto'],
    alsoRequired: { cantidad: messages.en.required },
    async prepare (director, { as }) {
      // The other company has records too, so that their ids can be tried.
      for (const client of [await as('director@otra.example'), director]) {
        const { id: contract } = (await client.post('contracts/', { folio: 'TABLA-LÍNEAS' })).json()
        const { id: concepto } = (await client.post('conceptos/', { contract, clave: 'A', unidad: 'm2', cantidad: '1', precio_unitario: '0' })).json()
        measured = { concepto, estimate: (await client.post('estimates/', { contract })).json().id }
      }
    }
  },
  movimientos: {
    right: () => ({ estimate: moved, tipo: 'pena', motivo: 'Tabla', antes_iva: false, importe: '0.01' }),
    // A movement has an amount or a percentage.
    beside: { porcentaje: { importe: null } },
    taken: {
      // Nothing can be returned yet.
      sentido: [['"cargo"', 'cargo']],
      importe: [['"7.50"', '7.50'], ['" 7.5 "', '7.50'], ['0.01', '0.01']],
      porcentaje: [['"7.5"', '7.500000'], ['0.000001', '0.000001'], ['"100"', '100.000000']]
    },
    fixed: ['estimate'],
    alsoRequired: { importe: messages.en.exactlyOne },
    async prepare (director, { as }) {
      // The other company has an estimate too, so that its id can be tried.
      for (const client of [await as('director@otra.example'), director]) {
        const { id: contract } = (await client.post('contracts/', { folio: 'TABLA-MOVIMIENTOS' })).json()
        moved = (await client.post('estimates/', { contract })).json().id
      }
    }
  },
  pagos: {
    right: () => ({ estimate: payable, importe: '0.01', fecha: '2026-04-15' }),
    taken: {
      importe: [['"7.50"', '7.50'], ['" 7.5 "', '7.50'], ['0.01', '0.01']],
      // Only a payment without a day can send null back, and no payment is in the future.
      fecha: pastDays
    },
    fixed: ['estimate'],
    prepare: async (director, { psql }) => {
      const { id: of } = (await director.post('contracts/', { folio: 'TABLA-PAGOS', monto: '1000000.00' })).json()
      const [estimate] = await psql("insert into estimates (company_id, contract_id, monto, estado) values (1, $1, 1000000, 'autorizada') returning id", [of])
      payable = estimate?.['id'] as number
      await psql('insert into estimates (company_id, contract_id) select 3, min(id) from contracts where company_id = 3')
    }
  },
  programa: {
    right: () => ({ contract: planned, periodo_inicio: '2026-03-01', periodo_fin: '2026-03-31', importe: '1' }),
    beside: { periodo_inicio: { periodo_fin: '9999-12-31' }, periodo_fin: { periodo_inicio: '0001-01-01' } },
    taken: {
      importe: [['"7.50"', '7.50'], ['" 7.5 "', '7.50'], ['-0.01', '-0.01'], ['"9999999999999999.99"', '9999999999999999.99']],
      periodo_inicio: [['"0001-01-01"', '0001-01-01'], ['" 9999-12-31 "', '9999-12-31']],
      periodo_fin: [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31']]
    },
    fixed: ['contract', 'convenio'],
    async prepare (director, { as }) {
      // The other company has a change order too, so that its id can be tried.
      for (const client of [await as('director@otra.example'), director]) {
        planned = (await client.post('contracts/', { folio: 'TABLA-PROGRAMA' })).json().id
        await client.post('convenios/', { contract: planned })
      }
    }
  },
  adjuntos: {
    right: number => ({ contract: attached, nombre: `Tabla ${number}`, tipo: 'image/jpeg', bytes: 200, sha256: 'ab'.repeat(32) }),
    fixed: ['contract', 'estimate', 'convenio', 'generador', 'pago', 'tipo', 'bytes', 'sha256'],
    async prepare (director, { as, psql }) {
      // The other company has records of each kind too, so that their ids can be tried.
      for (const client of [await as('director@otra.example'), director]) {
        attached = (await client.post('contracts/', { folio: 'TABLA-ADJUNTOS', monto: '1000.00' })).json().id
        const concepto = (await client.post('conceptos/', { contract: attached, clave: 'A', unidad: 'm2', cantidad: '100', precio_unitario: '10' })).json().id
        const estimate = (await client.post('estimates/', { contract: attached })).json().id
        await client.post('convenios/', { contract: attached })
        await client.post('generadores/', { estimate, concepto, cantidad: '10' })
        await movedTo(psql, 'estimates', toAuthorized, 'id = $1', [estimate])
        await client.post('pagos/', { estimate, importe: '1.00', fecha: '2026-04-15' })
      }
    }
  },
  estimates: {
    right: () => ({ contract }),
    beside: { periodo_inicio: { periodo_fin: '9999-12-31' }, periodo_fin: { periodo_inicio: '0001-01-01' }, anticipo: { tipo: 'anticipo' }, deductivas: { monto: '9999999999999999.99' } },
    taken: {
      // The other kinds have rules of their own.
      tipo: [['"ordinaria"', 'ordinaria']],
      anticipo: [['0.01', '0.01'], ['"9999999999999999.99"', '9999999999999999.99'], ['9999999999999999.99', '9999999999999999.99'], ['" 7.5 "', '7.50']],
      estado: [['"borrador"', 'borrador']],
      periodo_inicio: [['"0001-01-01"', '0001-01-01'], ['" 9999-12-31 "', '9999-12-31']],
      periodo_fin: [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31']]
    },
    fixed: ['contract'],
    // Without percentages, amounts derived from the largest amount still fit.
    prepare: async (director) => { contract = (await director.post('contracts/', { folio: 'TABLA-BASE', iva_porcentaje: '0' })).json().id }
  }
}

/** What follows from the example of a resource whose records need a contract. The other company has a contract and a record too. */
function ofContract (resource: Resource): Partial<Entry> {
  let parent = 0
  const { initial } = resource.states ?? {}
  return {
    ...initial === undefined ? {} : { taken: { estado: [[JSON.stringify(initial), initial]] } },
    right: number => ({ contract: parent, ...sampleOf(resource, `Tabla ${number}`) }),
    fixed: resource.fixed.filter(field => resource.references[field] !== undefined),
    async prepare (director, { as }) {
      for (const client of [await as('director@otra.example'), director]) {
        parent = (await client.post('contracts/', { folio: `TABLA-${resource.name}` })).json().id
        await client.post(`${resource.name}/`, this.right?.(0))
      }
    }
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
  right: number => sampleOf(resource, `Tabla ${number}`),
  change: number => ({ external_id: `cambio-${number}` }),
  unique: Object.fromEntries(resource.unique.map(field => [field, { [field]: 'ÚNICO' }])),
  references: Object.fromEntries(Object.entries(resource.references).map(([field, reference]) => [field, reference.resource])),
  ...particular[resource.name] ?? (needsOnlyContract(resource) ? ofContract(resource) : {})
}))
