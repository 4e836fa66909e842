import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('lists of counterparties', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const names = async (query: string) => (await director.get(`contrapartes/?${query}`)).json().results.map((one: { nombre: string }) => one.nombre)

  await t.test('are filtered, searched, ordered and paged', async (t) => {
    await director.post('contrapartes/', { nombre: 'Ávila Filtros', rfc: 'SAT970701NN3', tipo: 'cliente', activo: false, email: 'correo@avila.example', telefono: '8187654321', direccion: 'Av. Juárez 20', notas: 'No pagar sin anticipo' })
    await director.post('contracts/', { folio: 'CON-AVILA', contraparte: 'Ávila Filtros' })
    t.same(await names('rfc=sat970701nn3'), ['Ávila Filtros'])
    t.same((await names('tipo=cliente')).sort(), ['Inmobiliaria Los Encinos, S.A. de C.V.', 'Secretaría de Infraestructura del Norte', 'Ávila Filtros'])
    t.same(await names('activo=false'), ['Ávila Filtros'])
    t.same((await names('search=avila')).sort(), ['Hidráulica y Drenajes Ávila, S. de R.L.', 'Ávila Filtros'].sort())
    for (const term of ['sat970701', 'CORREO@avila', '8187654321', 'juarez 20', 'no pagar']) t.same(await names(`search=${encodeURIComponent(term)}`), ['Ávila Filtros'], term)
    t.equal((await director.get('contracts/?search=sat970701')).json().count, 0, 'contracts are found only by its name')
    t.equal((await names('ordering=-nombre,id&page_size=3')).length, 3)
  })
})
