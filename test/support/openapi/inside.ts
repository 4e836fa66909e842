/** Makes a function that resolves a `$ref` of a document and returns any other value unchanged. */
export function insideOf (document: object): (value: any) => any {
  return value => value?.$ref === undefined ? value : value.$ref.slice(2).split('/').reduce((from: any, part: string) => from[part], document)
}
