/*
 * Keeps the files of the app, so that it opens without a connection. The records are in the store's own storage: requests to the API go to
 * the network only.
 */
const cacheName = 'obra-site-app'

self.addEventListener('install', event => event.waitUntil(install()))

self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url)
  if (event.request.method === 'GET' && origin === self.location.origin && !pathname.startsWith('/api/')) event.respondWith(load(event.request, pathname))
})

/** Caches all files of the app. `files.json` lists them. */
async function install () {
  const [cache, files] = await Promise.all([caches.open(cacheName), fetch('files.json')])
  await cache.addAll(await files.json())
  await self.skipWaiting()
}

/** The file from the network, so that a new release arrives, or from the cache if it does not arrive within 3 s. */
async function load (request, pathname) {
  const cache = await caches.open(cacheName)
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(3000) })
    if (response.ok) await cache.put(pathname, response.clone())
    return response
  } catch {
    return await cache.match(pathname) ?? Response.error()
  }
}
