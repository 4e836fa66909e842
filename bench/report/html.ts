/** Complete HTML, which needs no escaping. */
export class Html {
  readonly text: string

  constructor (text: string) {
    this.text = text
  }
}

type Value = string | number | undefined | Html | Html[]

/** Tag of an HTML template: escapes text values and omits undefined ones. */
export function html (parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, index) => part + written(values[index])).join(''))
}

function written (value: Value): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(written).join('')
  return String(value).replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
