/** Startup options of a superuser's session on a test database. */
export const superuserOptions = '-c timezone=UTC'
