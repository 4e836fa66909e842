import fc from 'fast-check'
import t from 'tap'
import { message, messages, type Language, type MessageKey } from '../../../src/http/messages.ts'

const languages = Object.keys(messages) as Language[]
const keys = Object.keys(messages.en) as MessageKey[]

function placeholders (text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(match => match[1]).sort()
}

t.test('every message exists in both languages, with the same placeholders', async (t) => {
  t.strictSame(languages, ['en', 'es'])
  t.strictSame(Object.keys(messages.es).sort(), [...keys].sort())
  for (const key of keys) {
    t.match(messages.es[key], /\S/)
    t.strictSame(placeholders(messages.es[key]), placeholders(messages.en[key]), key)
  }
})

t.test('every message is translated', async (t) => {
  for (const key of keys) t.not(messages.es[key], messages.en[key], key)
})

t.test("the wording is Django REST Framework's and simplejwt's", async (t) => {
  const known: Array<[MessageKey, string, string]> = [
    ['required', 'This field is required.', 'Este campo es requerido.'],
    ['blank', 'This field may not be blank.', 'Este campo no puede estar en blanco.'],
    ['null', 'This field may not be null.', 'Este campo no puede ser nulo.'],
    ['unique', 'This field must be unique.', 'Este campo debe ser único.'],
    ['invalidPage', 'Invalid page.', 'Página inválida.'],
    ['notFound', 'Not found.', 'No encontrado.'],
    ['permissionDenied', 'You do not have permission to perform this action.', 'Usted no tiene permiso para realizar esta acción.'],
    ['notAuthenticated', 'Authentication credentials were not provided.', 'Las credenciales de autenticación no se proveyeron.'],
    ['tokenNotValid', 'Given token not valid for any token type', 'El token dado no es valido para ningun tipo de token'],
    ['noActiveAccount', 'No active account found with the given credentials', 'La combinación de credenciales no tiene una cuenta activa'],
    ['unknownField', 'Unknown field.', 'Campo desconocido.'],
    ['doesNotExist', 'Invalid pk "{pk_value}" - object does not exist.', 'Clave primaria "{pk_value}" inválida - objeto no existe.'],
    ['nameDoesNotExist', 'Object with {slug_name}={value} does not exist.', 'Objeto con {slug_name}={value} no existe.'],
    ['maxDecimalPlaces', 'Ensure that there are no more than {max_decimal_places} decimal places.', 'Asegúrese de que no haya más de {max_decimal_places} decimales.'],
    ['maxValue', 'Ensure this value is less than or equal to {max_value}.', 'Asegúrese de que este valor es menor o igual a {max_value}.']
  ]
  for (const [key, en, es] of known) t.strictSame([message('en', key), message('es', key)], [en, es])
})

t.test('any values replace placeholders', async (t) => {
  t.equal(message('en', 'maxLength', { max_length: 64 }), 'Ensure this field has no more than 64 characters.')
  t.equal(message('es', 'estadoFinal', { from: 'terminado', to: 'vigente' }), '"terminado" no puede cambiar a "vigente". Es definitivo.')
  t.equal(message('en', 'estadoTransition', { from: 'a', to: 'b', allowed: ['c', 'd'] }), '"a" cannot change to "b". It can change to: c, d.', 'a list has commas')
  t.equal(message('en', 'maxLength'), 'Ensure this field has no more than {max_length} characters.', 'a placeholder without a value stays')
  fc.assert(fc.property(fc.constantFrom(...languages), fc.oneof(fc.string(), fc.constantFrom('{input}', '$&', '$1', '{to}{from}', '__proto__')), (language, value) => {
    const [before, after] = messages[language].invalidChoice.split('{input}')
    return message(language, 'invalidChoice', { input: value }) === `${before}${value}${after}`
  }))
  t.equal(message('en', 'estadoFinal', { from: '{to}', to: 'x' }), '"{to}" cannot change to "x". It is final.', 'a value is not expanded')
})
