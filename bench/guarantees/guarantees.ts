/** A text of a source file, and the text in its place. */
export interface Patch {
  /** Path from the root of the repository. */
  file: string
  text: string
  by: string
}

/** A guarantee of the service, and how the bench removes it from a copy of the database and from a running server. */
export interface Guarantee {
  name: string
  about: string
  /** The workloads that pay for it. */
  workloads: string[]
  sql?: string
  patches?: Patch[]
  env?: Record<string, string>
  /** Whether the requests have an Idempotency-Key. */
  keyed?: true
}

const writes = ['create', 'change']

/** SQL that changes the triggers which raise revisions. It fails if it changes nothing. */
const rewrite = (pattern: string, by: string) => `
  do $$
  declare old text := pg_get_functiondef('contracts_revision'::regproc);
  begin
    assert regexp_replace(old, ${pattern}, ${by}, 'g') <> old;
    execute regexp_replace(old, ${pattern}, ${by}, 'g');
  end $$;`

export const guarantees: Guarantee[] = [
  {
    name: 'rate limit',
    about: 'requests of each user are counted',
    workloads: ['lists'],
    env: { RATE_LIMIT: 'off' }
  },
  {
    name: 'session check',
    about: 'session and access level are those of the moment of the request; a write checks them again under its lock',
    workloads: ['lists', 'create'],
    patches: [
      { file: 'src/auth/authority.ts', text: 'if (authorities?.[index] !== state.authority) {', by: 'if (false) {' },
      {
        file: 'src/auth/authority.ts',
        text: 'array(select coalesce((select revision from authority_revisions where bucket = b), 0) from unnest($1::int[]) b)',
        by: '$1::int[]'
      },
      { file: 'src/database/turns/write-turn.ts', text: '...checkCallers(callers), ', by: '' }
    ]
  },
  {
    name: 'revision',
    about: 'an answer is never older than its request: a cached page needs a look at the revision, a write raises it under a lock',
    workloads: ['lists', ...writes],
    sql: `create sequence unordered; grant usage on sequence unordered to public;
      ${rewrite("'raised as \\(\\s+?update .*?returning [a-z_., ]+?\\)'",
        "'raised as (select distinct company_id, nextval(''unordered'') as revision, stamp_of(clock_timestamp()) as stamp from new_rows)'")}
      ${rewrite("'perform lock_companies\\(.*?\\);'", "''")}`,
    patches: [
      { file: 'src/auth/authority.ts', text: 'if (known.length === 0) return same', by: 'return new Map(known)' },
      {
        file: 'src/database/turns/write-turn.ts',
        text: '[lockWaits.short, lockCompanies(companies), lockWaits.usual] : [lockCompanies(companies)]',
        by: '[] : []'
      }
    ]
  },
  {
    name: 'walls',
    about: 'row-level security, and a check of the company of each row',
    workloads: ['detail', 'create'],
    sql: `
      do $$
      declare walled regclass;
      begin
        for walled in select oid from pg_class where relrowsecurity loop
          execute format('alter table %s disable row level security, no force row level security', walled);
        end loop;
      end $$`,
    patches: [
      {
        file: 'src/database/turns/read-turn.ts',
        text: 'for (const [index, { company }] of distinct.entries()) pinned(answers[index], company)',
        by: ''
      },
      // A read of one statement needs no transaction, if no policy reads a setting.
      {
        file: 'src/database/connection/postgres-sql.ts',
        text: 'const client = await pool.connect()\n      // On',
        by: `const client = await pool.connect()
          if (mode === 'read only') {
            const { rows, errors } = outcome(await together(client, statements))
            client.release(errors.some(isBroken))
            if (errors.length > 0) throw report(errors[0])
            return rows
          }
          // On`
      }
    ]
  },
  {
    name: 'idempotency',
    about: 'a create with an Idempotency-Key, against one without',
    workloads: ['create'],
    keyed: true,
    patches: [{ file: 'src/resources/writing/handlers.ts', text: 'return header === undefined ?', by: 'return true ?' }]
  },
  {
    name: 'history',
    about: 'each change is kept with its time and user',
    workloads: writes,
    sql: ['insert', 'update', 'delete'].map(event => `drop trigger save_history_${event} on contracts;`).join(' '),
    patches: [
      { file: 'src/database/turns/write-turn.ts', text: ', ...only === undefined ? [] : [actAs(only)]', by: '' },
      { file: 'src/resources/writing/callers.ts', text: "'(select callers from noted) is not null'", by: "'true'" }
    ]
  },
  {
    name: 'change log',
    about: 'each change has a row, for sync, webhooks and search',
    workloads: writes,
    sql: rewrite("'join raised using \\(company_id\\);'", "'join raised using (company_id) where false;'")
  },
  {
    name: 'search text',
    about: 'folio and description without accents in a column of their own, which a job adds to an index',
    workloads: ['create'],
    sql: "alter table contracts alter busqueda drop expression; alter table contracts alter busqueda set default ''",
    patches: [{ file: 'src/app.ts', text: 'purging, searchIndex, sensible', by: 'purging, sensible' }]
  }
]
