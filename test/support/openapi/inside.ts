/** Follows a document's `$ref`, where a value is one: what stands at its end. */
export function insideOf (document: object): (value: any) => any {
  return value => value?.$ref === undefined ? value : value.$ref.slice(2).split('/').reduce((from: any, part: string) => from[part], document)
}
