/** Makes a function that resolves a `$ref` of a document, with the keywords beside it, and returns any other value unchanged. */
export function insideOf (document: object): (value: any) => any {
  return (value) => {
    if (value?.$ref === undefined) return value
    const { $ref, ...others } = value
    const found = $ref.slice(2).split('/').reduce((from: any, part: string) => from[part], document)
    return Object.keys(others).length === 0 ? found : { ...found, ...others }
  }
}
