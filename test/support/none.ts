/** Matches an empty array or object in a pattern of `t.match`. A literal `[]` or `{}` would match any array or object. */
export class None {
  static [Symbol.hasInstance] (value: object): boolean {
    return Object.keys(value).length === 0
  }
}
