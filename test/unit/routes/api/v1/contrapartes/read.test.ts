import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('lists of counterparties', async (t) => {
  const { as } = await build(t)
  const [director, other, auxiliar] = [await as('director@demo.example'), await as('director@otra.example'), await as('auxiliar@demo.example')]
  const names = async (query: string) => (await director.get(`contrapartes/?${query}`)).json().results.map((one: { nombre: string }) => one.nombre)

  await t.test('contain only the active company’s', async (t) => {
    t.match((await director.get('contrapartes/')).json(), { count: 10, next: null, previous: null })
    const [foreign] = (await other.get('contrapartes/?page_size=1')).json().results
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
      const response = await director.send(method, `contrapartes/${foreign.id}/`, method === 'GET' || method === 'DELETE' ? undefined : { nombre: 'Mía' })
      t.equal(response.statusCode, 404, method)
      t.strictSame(response.json(), { detail: 'Not found.', code: 'not_found' })
    }
    t.match((await other.get(`contrapartes/${foreign.id}/`)).json(), { nombre: foreign.nombre, version: 1 })
    t.equal((await other.post('contrapartes/', { nombre: (await names('page_size=1'))[0] })).statusCode, 400, 'both companies have the demo names')
  })

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
    t.strictSame((await director.get('contrapartes/?tipo=amigo&activo=quizas&rfc=X&foo=1')).json().errors, {
      foo: ['Unknown query parameter.'], tipo: ['"amigo" is not a valid choice. Valid choices: cliente, proveedor, subcontratista, otro.'], activo: ['Must be a valid boolean.'], rfc: ['Enter a valid RFC: 3 or 4 letters, a date as YYMMDD, then 2 letters or digits and a digit or A, such as GODE561231GR8.']
    })
  })

  await t.test('are permitted at level 1, writes are not', async (t) => {
    t.equal((await auxiliar.get('contrapartes/')).statusCode, 200)
    const refused = await auxiliar.post('contrapartes/', { nombre: 'No' })
    t.equal(refused.statusCode, 403)
    t.match(refused.json(), { code: 'permission_denied' })
  })
})
