import { Type } from '@sinclair/typebox'
import { databaseUrl } from './formats.ts'

/** All environment variables of the process, with type, default and description. */
export const configSchema = Type.Object({
  NODE_ENV: Type.Unsafe<'development' | 'test' | 'production'>({
    type: 'string',
    enum: ['development', 'test', 'production'],
    default: 'development',
    description: 'with `production`, a starting server loads no demo data, generates no signing key and runs no migrations. There are no ' +
      'example pages'
  }),
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'address to listen on; `0.0.0.0` for all addresses of the machine, if the proxy is on another machine'
  }),
  PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65535, description: 'port to listen on; 0 picks a free port' }),
  MAX_CONNECTIONS: Type.Integer({ default: 20_000, minimum: 1, maximum: 1_000_000, description: 'client connections per process' }),
  CUSTOMER_CONNECTIONS_PERCENT: Type.Integer({
    default: 25,
    minimum: 1,
    maximum: 100,
    description: 'share of `MAX_CONNECTIONS` that requests in progress of one customer can use, in percent; streams and waiting ' +
      'requests can use four fifths of this share'
  }),
  WAITS_PER_USER: Type.Integer({
    default: 20,
    minimum: 1,
    maximum: 1_000_000,
    description: 'open event streams and waiting requests of one user per process'
  }),
  WORKERS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 256,
    description: 'server processes that share the port; above 1 requires a `DATABASE_URL` of PostgreSQL'
  }),
  DATABASE_URL: Type.Optional(Type.String({
    pattern: databaseUrl.source,
    description: 'PostgreSQL 15 or newer: `postgres://user:password@host:5432/database`, with `?sslmode=…` for TLS or `?host=…` for a ' +
      'socket folder; or `embedded` for the embedded database in `DATA_DIR`. Required in production. Default elsewhere: `embedded`'
  })),
  DATABASE_POOL: Type.Integer({
    default: 10,
    minimum: 4,
    maximum: 1000,
    description: 'PostgreSQL connections per process, at least 4; with 7 or more, slow requests of one company cannot take all connections'
  }),
  DATABASE_REPLICAS: Type.Optional(Type.String({
    format: 'replicas',
    description: 'comma-separated URLs of the read replicas of `DATABASE_URL`. With failover, list all database machines: Obra finds ' +
      'out which one is the primary and reads from the others'
  })),
  DATABASE_WAIT_SECONDS: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 3600,
    description: 'how long a starting server waits for PostgreSQL'
  }),
  PAGE_CACHE_MB: Type.Integer({
    default: 12,
    minimum: 0,
    maximum: 1_000_000,
    description: 'size of the page cache per process; 0 disables it'
  }),
  DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'folder of files, of the embedded database and the generated signing key; several processes share its folder ' +
      '`files`, unless `FILES_URL` is set'
  }),
  FILES_URL: Type.Optional(Type.String({
    format: 'bucket',
    description: 'bucket of an S3-compatible service for files, instead of `DATA_DIR/files`: ' +
      '`s3://bucket/prefix?region=…&endpoint=https://…`, without `endpoint` for AWS. `public-endpoint` is the origin of the service for ' +
      'clients, if it is another one. The credentials are `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or those of the machine'
  })),
  FILES_QUOTA_MB: Type.Integer({
    default: 10_000,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'limit of the total size of a company\'s files, in MB'
  }),
  JWT_SECRET: Type.Optional(Type.String({
    description: 'key that signs tokens (UTF-8 bytes, HS256); required in production, at least 32 bytes'
  })),
  JWT_SECRET_PREVIOUS: Type.Optional(Type.String({ description: 'previous signing key, still accepted' })),
  CELL: Type.Optional(Type.String({
    pattern: '^[\\w.-]{1,64}$',
    description: 'name of this installation, if there are several. Its tokens have this name as `kid`, so that a proxy can choose ' +
      'the installation'
  })),
  PUBLIC_URL: Type.Optional(Type.String({
    pattern: '^https?://[^/?#]+$',
    description: 'scheme and host of URLs in answers, such as `https://api.example.mx`; `https:` also enables HSTS. Default: those of ' +
      'the request'
  })),
  TRUST_PROXY: Type.String({
    default: 'false',
    format: 'addresses',
    description: 'proxies whose `X-Forwarded-*` headers the server trusts: their comma-separated addresses and subnets. If clients ' +
      'cannot reach the server directly, the number of proxies before the server is possible too. `true` trusts every client. ' +
      'Production refuses `true`, and subnets larger than `/8` of IPv4 or `/32` of IPv6'
  }),
  CORS_ORIGINS: Type.Optional(Type.String({
    pattern: '^https?://[^/?#,*\\s]+(, *https?://[^/?#,*\\s]+)*$',
    description: 'comma-separated origins that browsers may call the API from, such as `https://app.example.mx`. Default: same origin only'
  })),
  DOCS: Type.Unsafe<'on' | 'off'>({
    type: 'string',
    enum: ['on', 'off'],
    default: 'on',
    description: '`off` disables `/docs/` and `/openapi.json`'
  }),
  LOG_LEVEL: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'minimum level of log lines, or `silent`'
  }),
  LOG_REQUESTS: Type.Unsafe<'on' | 'errors' | 'off'>({
    type: 'string',
    enum: ['on', 'errors', 'off'],
    default: 'on',
    description: 'request log lines (level `info`): `on` for all, `errors` for answers of 400 or above, `off`'
  }),
  METRICS_PORT: Type.Optional(Type.Integer({
    minimum: 0,
    maximum: 65535,
    description: 'port of `/metrics` for Prometheus; 0 picks a free port. Default: no metrics'
  })),
  METRICS_HOST: Type.String({ default: '127.0.0.1', description: 'address for the metrics, which require no token' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({
    pattern: '^https?://',
    description: 'OpenTelemetry collector (OTLP over HTTP); enables traces. `OTEL_SERVICE_NAME` and other variables of the exporter ' +
      'also apply'
  })),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(Type.String({
    pattern: '^https?://',
    description: 'complete URL of the collector for traces, with its path, instead of `OTEL_EXPORTER_OTLP_ENDPOINT`; enables traces'
  })),
  OTEL_TRACES_EXPORTER: Type.Optional(Type.String({
    description: '`otlp` enables traces, by default to a collector on this machine; any other value disables them'
  })),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: 'share of requests whose traces are recorded, from 0 to 1. If a request has a `traceparent` header, the header decides'
  }),
  OTEL_SDK_DISABLED: Type.String({ default: 'false', description: '`true` disables traces' }),
  DEFAULT_LANGUAGE: Type.Unsafe<'en' | 'es'>({
    type: 'string',
    enum: ['en', 'es'],
    default: 'en',
    description: 'language of messages if `Accept-Language` contains neither `en` nor `es`'
  }),
  RATE_LIMIT: Type.Unsafe<'on' | 'off'>({
    type: 'string',
    enum: ['on', 'off'],
    default: 'on',
    description: '`off` disables the rate limits and the log-in limits per IP address, for benchmarks. The limits of ' +
      '`LOGIN_FAILURES_PER_ACCOUNT` stay'
  }),
  API_REQUESTS_PER_MINUTE: Type.Integer({
    default: 6000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'requests per user and minute before 429'
  }),
  UNAUTHENTICATED_REQUESTS_PER_MINUTE: Type.Integer({
    default: 3000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'requests without a live session per IP address (IPv6: /64 network) and minute before 429'
  }),
  LOGIN_FAILURES_PER_ACCOUNT: Type.Integer({
    default: 10,
    minimum: 1,
    description: 'failed log-ins with one email address from one IP address before the next attempt must wait; from all IP addresses ' +
      'together, ten times as many'
  }),
  LOGIN_FAILURES_PER_ADDRESS: Type.Integer({
    default: 100,
    minimum: 1,
    description: 'failed log-ins per IP address, with any email addresses, before the next attempt must wait'
  }),
  LOGIN_ATTEMPTS_PER_ADDRESS: Type.Integer({ default: 300, minimum: 1, description: 'log-ins per IP address and window before 429' }),
  LOGIN_WINDOW_SECONDS: Type.Integer({
    default: 60,
    minimum: 1,
    description: 'length of the window of `LOGIN_ATTEMPTS_PER_ADDRESS` and of the first wait'
  }),
  REDIS_URL: Type.Optional(Type.String({
    pattern: '^rediss?://',
    description: 'Redis that shares the counts of rate limits and log-ins between processes: `redis://user:password@host:6379/0`. ' +
      'Without it, each process counts separately'
  })),
  WEBHOOKS: Type.Unsafe<'on' | 'off'>({
    type: 'string',
    enum: ['on', 'off'],
    default: 'on',
    description: '`off` keeps this process from delivering webhooks'
  }),
  WEBHOOK_KEY: Type.Optional(Type.String({
    description: 'key that encrypts the secrets of webhooks; in production at least 32 bytes, and required to create webhooks. ' +
      'Default outside production: derived from the signing key'
  })),
  WEBHOOK_KEY_PREVIOUS: Type.Optional(Type.String({ description: 'previous `WEBHOOK_KEY`, which still decrypts' })),
  WEBHOOK_PORTS: Type.String({
    default: '443',
    format: 'ports',
    description: 'comma-separated ports of the receivers of webhooks; outside production, receivers on this machine may have any port'
  }),
  WEBHOOK_PROXY: Type.Optional(Type.String({
    format: 'proxy',
    description: 'egress proxy for webhooks: `http://user:password@host:port`. It resolves the names of receivers and must itself ' +
      'refuse private addresses. Default: the server connects directly, and refuses private addresses itself'
  }))
})
