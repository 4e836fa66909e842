/**
 * Startup options of a superuser's session on a test database. On a database of an earlier release, the login can have the settings of the
 * service, which they override.
 */
export const superuserOptions = '-c role=none -c timezone=UTC -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'
