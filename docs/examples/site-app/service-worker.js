/*
 * Keeps the files of the app, so that it opens without a connection. The records are in the store's own storage: requests to the API go to
 * the network only.
 *
 * A release is kept as a whole. The browser installs the next one when `release.js` has changed, and uses it once the app is closed in all
 * tabs. So the files of a page are always of one release.
 */
importScripts('release.js')

const { name, files } = self.release
const cacheName = `obra-site-app ${name}`

self.addEventListener('install', event => event.waitUntil(install()))
self.addEventListener('activate', event => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url)
  if (event.request.method === 'GET' && origin === self.location.origin && !pathname.startsWith('/api/')) event.respondWith(load(event.request))
})

async function install () {
  const cache = await caches.open(cacheName)
  await cache.addAll(files.map(file => new Request(file, { cache: 'no-cache' })))
}

/** Deletes earlier releases. */
async function activate () {
  const others = (await caches.keys()).filter(other => other.startsWith('obra-site-app ') && other !== cacheName)
  await Promise.all(others.map(other => caches.delete(other)))
  await self.clients.claim()
}

/** The file of the release, or of the network if the release does not have it. */
async function load (request) {
  const cache = await caches.open(cacheName)
  return await cache.match(request, { ignoreSearch: true }) ?? await fetch(request)
}
