import { count, day, GB, hour, KiB, limit, MB, MiB, minute, second, size, time, variable, type Limit, type VariableLimit } from './limit.ts'

const shortReport = 200

/**
 * All limits that a caller, a receiver or an operator can meet, by subject: what is limited, of whom, how much, in which unit, and what
 * happens beyond. The code reads its numbers from {@link limits}, and `limit-tables.ts` of the tests writes the page of limits.
 */
export const limitTable = {
  bodies: {
    token: size('body of a token request', 'request', 16 * KiB, '413'),
    password: size('body with a password', 'request', 32 * KiB, '413'),
    record: size('body of a record', 'request', 128 * KiB, '413'),
    nested: size('body of a contract update', 'request', MiB, '413'),
    bulk: size('body of `bulk/`', 'request', 16 * MiB, '413'),
    mutations: size('body of `mutations/`', 'request', 4 * MiB, '413'),
    refusedMutations: size('body of `mutations/`, if the level of the user may not write', 'request', 128 * KiB, '413'),
    text: limit('text or number in a body', 'body', 4, 'times the longest text field of the body', '400'),
    values: count('values in a body', 'body', 66_000, '413'),
    fields: count('fields in an object', 'body', 64, '400'),
    items: count('items of `bulk/`', 'request', 1000, '400'),
    conceptos: count('items of `conceptos/bulk/`', 'request', 5000, '400'),
    mutationsOfRequest: count('`mutations` of a request', 'request', 200, '400'),
    mutationLevels: count('levels of objects in a mutation', 'request', 64, '400'),
    treeLevels: count('levels of contracts', 'tree', 50, '400 under `parent`'),
    messages: count('messages of a 400', 'answer', 500, 'a last message says that there are more'),
    messageBytes: size('messages and codes of a 400', 'answer', 48 * KiB, 'a last message says that there are more')
  },
  work: {
    refusedItems: count('items of a bulk with a [problem that only a write shows](../reference/api.md#bulk)', 'request', 50,
      'the 400 lists these, and says that there are more'),
    refusedItemsOfPartial: count('such items of a partial bulk', 'request', 1000, '400')
  },
  queries: {
    pageSize: count('`page_size`', 'request', 200, '400'),
    changes: count('`page_size` of `changes/`', 'request', 1000, '400'),
    parameters: count('parameters of a query', 'request', 200, '400'),
    searchWords: count('words of `search`', 'request', 20, '400'),
    feedRoots: count('contracts of `changes/`', 'request', 100, '400'),
    boundedCount: count('`count` with `count_exact=false`', 'request', 10_000, '`count_exact` of the answer is false')
  },
  devices: {
    ofUser: count('devices in a company', 'user', 100,
      'an [idle device](../reference/sync.md#devices) is forgotten. Without idle devices, 403'),
    results: count('unacknowledged results of a device', 'device', 1000, '409'),
    resultBytes: size('unacknowledged results of a device', 'device', MiB, '409'),
    idleMs: time('device that sends nothing', 'device', 100 * day, 'forgotten')
  },
  exports: {
    rows: count('rows of a list as CSV', 'request', 100_000, '400'),
    fileBytes: size('CSV file', 'request', 100 * MB, '400'),
    totalBytes: size('CSV files that are open, in total', 'process', GB, '503'),
    open: count('open CSV exports', 'customer', 4, '429'),
    reading: count('CSV exports that read at once', 'process', 3, 'wait, then 503'),
    readingOfCustomer: count('CSV exports that read at once', 'customer', 1, 'wait, then 503'),
    waitMs: time('wait for the start of a CSV export', 'request', 10 * second, '503'),
    readMs: time('reading the rows of a CSV export from the database', 'request', 45 * second, '503'),
    sendMs: time('download of a CSV export', 'request', 10 * minute, 'closed')
  },
  files: {
    bytes: size('file of an attachment', 'file', 25 * MiB, '400'),
    marks: limit('markup and white space of a file that is read as an invoice (CFDI)', 'file', 3_000_000, 'characters', 'not read'),
    levels: count('levels of elements in an invoice', 'file', 64, 'not read'),
    attributes: count('attributes of an element in an invoice', 'file', 500, 'not read'),
    quota: variable('files in total', 'company', 'FILES_QUOTA_MB', 'MB', '413'),
    uploadsOfUser: count('uploads (`PUT` or `PATCH`) at once', 'user', 4, 'wait, then 503'),
    uploadsOfCustomer: count('uploads (`PUT` or `PATCH`) at once', 'customer', 16, 'wait, then 503'),
    downloadsOfUser: count('downloads at once', 'user', 16, 'wait, then 503'),
    downloadsOfCustomer: count('downloads at once', 'customer', 64, 'wait, then 503'),
    waitMs: time('wait of an upload or download for others', 'request', 10 * second, '503'),
    partialMs: time('incomplete file of a resumable upload, after its last `PATCH`', 'file', 7 * day, 'removed'),
    sendMs: time('download of the file of an attachment', 'request', 10 * minute, 'closed'),
    urlMs: time('URL of a file in a bucket', 'file', minute, '403 by its service'),
    bucketRequestMs: time('a request to the service of the bucket', 'request', 5 * second, '503'),
    bucketSendMs: time('an upload to the service of the bucket', 'request', minute, '503'),
    bucketConnections: count('connections to the service of the bucket', 'process', 128, 'wait, then 503')
  },
  reports: {
    statementRows: count('rows of a statement of account', 'report', 2000, '400'),
    coverRows: count('chapters and movements of a cover sheet as PDF', 'report', 1000, '400'),
    shortRows: count('rows of a short report', 'report', shortReport, 'a long report'),
    drawCpuMs: time('CPU time of drawing', 'report', 10 * second, '503'),
    drawMs: time('drawing', 'report', 29 * second, '503'),
    drawn: count('short reports, and long reports, that are drawn at once', 'process', 1, 'wait'),
    waiting: count('short reports, and long reports, that wait to be drawn', 'customer', 16, '503'),
    waitMs: time('wait for the start of a drawing', 'request', 30 * second, '503')
  },
  connections: {
    all: variable('client connections', 'process', 'MAX_CONNECTIONS', '', 'the connection that has been idle longest is closed, or 503'),
    probes: count('further connections, for health probes', 'process', 64, 'closed'),
    idleMs: time('idle time of a connection that is closed for a new one', 'connection', second, 'at least this time'),
    ofCustomer: variable('requests in progress, each with a connection', 'customer', 'CUSTOMER_CONNECTIONS_PERCENT',
      '% of `MAX_CONNECTIONS`',
      '429'),
    waitsOfCustomer: limit('event streams, waiting requests and tests of webhooks', 'customer', 80, '% of the share above', '429'),
    waitsOfUser: variable('event streams, waiting requests and tests of webhooks', 'user', 'WAITS_PER_USER', '', '429'),
    changeMs: time('request that waits for changes', 'request', 30 * second, 'answered without changes'),
    eventMs: time('event stream whose client does not read an event', 'connection', 10 * second, 'closed'),
    pipelined: count('pipelined requests (sent before the answer to an earlier one)', 'connection', 20,
      'closed after the last of these answers'),
    headersMs: time('receiving the headers of a request', 'request', 15 * second, '408'),
    requestMs: time('receiving a whole request', 'request', minute, '408'),
    silentMs: time('connection without traffic during a request', 'connection', minute, 'closed'),
    keptMs: time('idle connection', 'connection', 72 * second, 'closed')
  },
  headers: {
    bytes: size('URL and headers', 'request', 16 * KiB, '431'),
    preference: limit(
      '`Accept`, `Accept-Language`, `Accept-Encoding`, `If-None-Match`, `If-Range`, `Prefer`, `Range` or a header of traces',
      'request', 1024, 'characters', 'ignored'
    ),
    essential: limit('`Authorization`, `Content-Type`, `Content-Encoding`, `If-Match` or `Last-Event-ID`', 'request', 4096, 'characters',
      '400'),
    parts: count('values and parameters of one of these headers', 'request', 100, 'ignored, or 400'),
    forwards: count('addresses of `X-Forwarded-For`', 'request', 32, 'only the last ones are read')
  },
  memory: {
    largeFrom: size('body or answer that does not count as large', 'request', 64 * KiB, 'large'),
    ofCustomer: size('large bodies and unread large answers', 'customer', 32 * MiB, '503'),
    ofAll: size('large bodies and unread large answers', 'process', 256 * MiB, '503'),
    readMs: time('reading a large answer', 'answer', 2 * minute, 'closed')
  },
  rates: {
    ofUser: variable('requests', 'user', 'API_REQUESTS_PER_MINUTE', 'a minute', '429'),
    ofAddress: variable('requests without a session', 'address', 'UNAUTHENTICATED_REQUESTS_PER_MINUTE', 'a minute', '429'),
    logIns: variable('log-ins', 'address', 'LOGIN_ATTEMPTS_PER_ADDRESS', 'in `LOGIN_WINDOW_SECONDS`', '429'),
    failuresOfPair: variable('failed log-ins', 'email and address', 'LOGIN_FAILURES_PER_ACCOUNT',
      '',
      'wait'),
    failuresOfEmail: limit('failed log-ins from all addresses', 'email', 10, 'times the row above', 'wait'),
    failuresOfAddress: variable('failed log-ins with all email addresses', 'address', 'LOGIN_FAILURES_PER_ADDRESS', '', 'wait'),
    firstWait: variable('first wait after failed log-ins', 'email and address', 'LOGIN_WINDOW_SECONDS', 's',
      'twice as long after each failure'),
    waitMs: time('longest wait after failed log-ins', 'email and address', hour, 'not longer'),
    knownMs: time('an address is known for a user after a log-in', 'email and address', 100 * day, 'forgotten'),
    hashes: count('password hashes that are computed at once', 'process', 3, 'wait, then 503'),
    hashesOfCaller: count('password hashes that are computed at once', 'customer, or address without a session', 2, 'wait, then 503')
  },
  database: {
    waitMs: time('wait for a shared statement, a connection, a lock of another database session or a password hash', 'request', 10 * second,
      '503'),
    companyWaitMs: time('wait of the oldest request of a company for a shared statement', 'company', second,
      'new requests of this company get 503 at once'),
    connectMs: time('connecting to PostgreSQL', 'connection', 5 * second, '503'),
    lockMs: time('wait of a statement for a lock of another session', 'statement', 100, 'it is tried again'),
    statementMs: time('one statement', 'statement', 15 * second, '503'),
    silentMs: time('PostgreSQL sends no data, for example because the network is cut', 'statement', 20 * second, '503'),
    unitMs: time('age of a transaction of one request, when its last statement begins', 'transaction', 30 * second, '503'),
    sharedReadMs: time('shared read', 'statement', 2 * second, 'each of its requests runs alone'),
    sharedWriteMs: time('shared write', 'statement', 2.5 * second, 'the writes of each company run alone'),
    rowsOfRead: count('rows that the requests of one company take in a shared read', 'company', 400, 'wait for the next statement'),
    requestsOfWrite: count('requests of one company in a shared write', 'company', 100, 'wait for the next statement')
  },
  webhooks: {
    ofCompany: count('webhooks, one per URL', 'company', 100, '400'),
    batch: count('`batch`: changes of a delivery', 'webhook', 100, '400'),
    attemptMs: time('one attempt', 'webhook', 15 * second, 'a failed attempt'),
    slowFromMs: time('attempt of a prompt webhook', 'webhook', second, 'the webhook is slow'),
    failingMs: time('all attempts fail', 'webhook', 5 * day, 'switched off'),
    bodyBytes: size('body of a delivery', 'webhook', 256_000, 'further changes are in the next delivery'),
    answerBytes: size('stored answer of the receiver', 'webhook', KiB, 'cut off'),
    prompt: count('deliveries to prompt webhooks at once', 'process', 256, 'wait'),
    promptOfCustomer: count('deliveries to prompt webhooks at once', 'customer and process', 64, 'wait'),
    slow: count('deliveries to slow webhooks at once', 'process', 64, 'wait'),
    slowOfCustomer: count('deliveries to slow webhooks at once', 'customer and process', 16, 'wait'),
    host: count('deliveries to one host and port at once', 'receiver', 32, 'wait'),
    hostOfCustomer: count('deliveries to one host and port at once', 'customer and receiver', 16, 'wait'),
    tests: count('tests at once', 'process', 64, 'wait, then 429'),
    testWaitMs: time('wait of a test for others', 'request', 5 * second, '429'),
    testsOfCustomer: count('tests at once', 'customer and process', 8, '429'),
    testsOfWebhook: count('tests at once', 'webhook', 1, '429'),
    keptTests: count('stored results of tests', 'webhook', 20, 'the oldest one is removed'),
    keptMs: time('stored attempts', 'webhook', 30 * day, 'removed'),
    connections: count('database connections of deliveries', 'process', 2, 'wait')
  },
  overload: {
    lagMs: time('lag of the event loop', 'process', 100, 'the process is overloaded'),
    requests: count('requests in progress that an overloaded process always admits', 'process', 500,
      '503, if the next row does not allow more'),
    requestMs: time('time in which an overloaded process can answer all requests in progress', 'process', second, '503'),
    pauseMs: time('pause before an overloaded process reads from a refused connection', 'connection', second, '`Retry-After`')
  },
  slices: {
    bodyMs: time('slice in which a large body is parsed and validated', 'process', 2, 'other requests have the same time'),
    exportMs: time('slice in which a CSV export is written', 'process', 0.5, 'the export pauses'),
    exportPauseMs: time('pause of a CSV export while other requests are in progress', 'process', 1, 'the next slice'),
    exportPart: limit('slice of a CSV export on a busy process', 'process', 25, '% of the pause before it', 'the export pauses'),
    exportSliceMs: time('longest slice of a CSV export', 'process', 5, 'the export pauses'),
    waits: count('requests that wait for changes and are answered together', 'process', 20,
      'the process pauses as long as these answers took')
  }
} as const satisfies Record<string, Record<string, Limit | VariableLimit>>

type Table = typeof limitTable

type Numbers = { readonly [S in keyof Table]: { readonly [N in keyof Table[S] as Table[S][N] extends VariableLimit ? never : N]: number } }

/** The numbers of {@link limitTable}, by subject and name. Limits that a variable sets have none here. */
export const limits = Object.fromEntries(Object.entries<Record<string, Limit | VariableLimit>>(limitTable).map(([subject, entries]) => [
  subject, Object.fromEntries(Object.entries(entries).flatMap(([name, entry]) => 'value' in entry ? [[name, entry.value]] : []))
])) as Numbers // the type of `fromEntries` has no names
