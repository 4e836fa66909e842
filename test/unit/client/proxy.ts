/** Answers of a proxy, a gateway or a log-in page of the network, which stand in place of the server's. */
export const garbage: Record<string, () => Response> = {
  'HTML 400': () => html(400),
  'HTML 401': () => html(401),
  'HTML 403': () => html(403),
  'HTML 404': () => html(404),
  'HTML 409': () => html(409),
  'HTML 410': () => html(410),
  'HTML 413': () => html(413),
  'HTML 502': () => html(502),
  'HTML as a success': () => html(200),
  'nothing as a success': () => new Response(null, { status: 204 }),
  'JSON of a gateway': () => Response.json({ message: 'Forbidden' }, { status: 403 }),
  'JSON of a gateway as a success': () => Response.json({ message: 'OK' }),
  'null as a success': () => Response.json(null),
  'a 400 with a detail': () => Response.json({ detail: 'Bad Request' }, { status: 400 }),
  'a 401 with a detail': () => Response.json({ detail: 'Unauthorized' }, { status: 401 }),
  'a problem of RFC 9457': () => new Response('{"title":"Gone","detail":"Gone","code":"gone"}', { status: 410, headers: { 'content-type': 'application/problem+json' } }),
  'JSON that was cut': () => new Response('{"results": [', { headers: { 'content-type': 'application/json' } }),
  'a redirect to a log-in page': () => new Response(null, { status: 302, headers: { location: 'https://login.example/' } })
}

export const html = (status: number): Response => new Response('<html><body>Blocked by policy</body></html>', {
  status, headers: { 'content-type': 'text/html; charset=utf-8' }
})
