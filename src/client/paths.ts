/**
 * Checks the path of a request. Without the slash at its end, or a value of a parameter, the service would answer 404.
 * @throws {TypeError} that names the path and the right one
 */
export function checkPath (method: string, path: string, { params }: { params?: { path?: Record<string, unknown> } }) {
  if (typeof path !== 'string') throw new TypeError(`${method} needs a path such as '/api/v1/contracts/', not ${typeof path}.`)
  const [bare = '', ...query] = path.split('?')
  if (bare.startsWith('/api/') && !bare.endsWith('/')) {
    throw new TypeError(`${method} ${path}: the paths of the service end with a slash. Use '${[`${bare}/`, ...query].join('?')}'.`)
  }
  const missing = (path.match(/\{[^{}]+\}/g) ?? []).map(name => name.slice(1, -1)).find(name => params?.path?.[name] == null)
  if (missing !== undefined) throw new TypeError(`${method} ${path}: pass ${missing} in { params: { path: { ${missing}: … } } }.`)
}
