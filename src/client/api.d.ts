// Generated from the OpenAPI document by openapi-typescript: npm run client:types

export interface paths {
    "/api/v1/api-token-auth/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Obtain a pair of tokens
         * @description Needs no token.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-token-refresh/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for the next pair
         * @description The refresh token is spent. Presented again within 30 seconds it gets the same pair, for the answer may have been lost; later its session ends, for it may have been stolen.
         *
         *     Needs an access token of the same session, which may be past its expiry.
         */
        post: operations["refreshTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-token-revoke/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of a refresh token
         * @description Its access tokens end with it, at once.
         *
         *     Needs an access token, of whatever level.
         */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-token-verify/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell whether a token is valid
         * @description A 401 that has `"valid": false` is of the token in the body; one without is of the `Authorization` header.
         *
         *     Needs an access token, of whatever level.
         */
        post: operations["verifyToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/companies/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List companies
         * @description Needs level 4 Corporativo, 5 Soporte or 6 Superusuario, the account's own.
         */
        get: operations["listCompanies"];
        put?: never;
        /**
         * Create a company
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        post: operations["createCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/companies/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One company
         * @description Needs level 4 Corporativo, 5 Soporte or 6 Superusuario, the account's own.
         */
        get: operations["retrieveCompany"];
        /**
         * Update a company
         * @description Required fields must be there; optional ones that are left out stay as they are.
         *
         *     Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        put: operations["updateCompany"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change some fields of a company
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        patch: operations["partialUpdateCompany"];
        trace?: never;
    };
    "/api/v1/contracts/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contracts
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario, in the active company.
         */
        get: operations["listContracts"];
        put?: never;
        /**
         * Create a contract
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        post: operations["createContract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One contract
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario, in the active company.
         */
        get: operations["retrieveContract"];
        /**
         * Update a contract
         * @description Required fields must be there; optional ones that are left out stay as they are.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        put: operations["updateContract"];
        post?: never;
        /**
         * Delete a contract
         * @description One that has subcontracts or estimates stays: 409, saying how many of each.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        delete: operations["deleteContract"];
        options?: never;
        head?: never;
        /**
         * Change some fields of a contract
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        patch: operations["partialUpdateContract"];
        trace?: never;
    };
    "/api/v1/contracts/{id}/ancestors/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The contracts above a contract, root first
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario, in the active company.
         */
        get: operations["listContractAncestors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{id}/tree/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A contract with all below it, nested
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario, in the active company.
         */
        get: operations["retrieveContractTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/bulk/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or change many, all or none
         * @description Up to 1000 items and 16 MiB. All are written or none, in the order given; what is wrong is told by item (`items.3.folio`). With `"upsert": "external_id"` items whose `external_id` a record has change that record.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        post: operations["bulkContracts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contrapartes/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List counterparties
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario, in the active company.
         */
        get: operations["listContrapartes"];
        put?: never;
        /**
         * Create a counterparty
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        post: operations["createContraparte"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contrapartes/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One counterparty
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario, in the active company.
         */
        get: operations["retrieveContraparte"];
        /**
         * Update a counterparty
         * @description Required fields must be there; optional ones that are left out stay as they are.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        put: operations["updateContraparte"];
        post?: never;
        /**
         * Delete a counterparty
         * @description One that contracts use stays: 409, saying how many.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        delete: operations["deleteContraparte"];
        options?: never;
        head?: never;
        /**
         * Change some fields of a counterparty
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        patch: operations["partialUpdateContraparte"];
        trace?: never;
    };
    "/api/v1/contrapartes/bulk/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or change many, all or none
         * @description Up to 1000 items and 16 MiB. All are written or none, in the order given; what is wrong is told by item (`items.3.folio`). With `"upsert": "external_id"` items whose `external_id` a record has change that record.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        post: operations["bulkContrapartes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description Needs level 5 Soporte or 6 Superusuario, the account's own.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description Needs level 6 Superusuario, the account's own.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One customer
         * @description Needs level 5 Soporte or 6 Superusuario, the account's own.
         */
        get: operations["retrieveCustomer"];
        /**
         * Update a customer
         * @description Required fields must be there; optional ones that are left out stay as they are.
         *
         *     Needs level 6 Superusuario, the account's own.
         */
        put: operations["updateCustomer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change some fields of a customer
         * @description Needs level 6 Superusuario, the account's own.
         */
        patch: operations["partialUpdateCustomer"];
        trace?: never;
    };
    "/api/v1/estimates/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List estimates
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario, in the active company.
         */
        get: operations["listEstimates"];
        put?: never;
        /**
         * Create an estimate
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        post: operations["createEstimate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/estimates/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One estimate
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario, in the active company.
         */
        get: operations["retrieveEstimate"];
        /**
         * Update an estimate
         * @description Amounts and period change in `borrador` alone: else 409. To authorize, reject or pay (`autorizada`, `rechazada`, `pagada`) needs the level that deletes.
         *
         *     Required fields must be there; optional ones that are left out stay as they are.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        put: operations["updateEstimate"];
        post?: never;
        /**
         * Delete an estimate
         * @description Only a `borrador`, and only the last of its contract: else 409.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        delete: operations["deleteEstimate"];
        options?: never;
        head?: never;
        /**
         * Change some fields of an estimate
         * @description Amounts and period change in `borrador` alone: else 409. To authorize, reject or pay (`autorizada`, `rechazada`, `pagada`) needs the level that deletes.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        patch: operations["partialUpdateEstimate"];
        trace?: never;
    };
    "/api/v1/estimates/bulk/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or change many, all or none
         * @description Up to 1000 items and 16 MiB. All are written or none, in the order given; what is wrong is told by item (`items.3.folio`). With `"upsert": "external_id"` items whose `external_id` a record has change that record.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        post: operations["bulkEstimates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's account and the companies that it may enter
         * @description Needs an access token, of whatever level.
         */
        get: operations["retrieveMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the active company
         * @description Needs an access token, of whatever level.
         */
        patch: operations["partialUpdateMe"];
        trace?: never;
    };
    "/api/v1/me/password/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change one's password; one's other sessions end
         * @description Needs an access token, of whatever level.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memberships/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memberships
         * @description Needs level 4 Corporativo, 5 Soporte or 6 Superusuario, the account's own.
         */
        get: operations["listMemberships"];
        put?: never;
        /**
         * Create a membership
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        post: operations["createMembership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memberships/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One membership
         * @description Needs level 4 Corporativo, 5 Soporte or 6 Superusuario, the account's own.
         */
        get: operations["retrieveMembership"];
        /**
         * Update a membership
         * @description Required fields must be there; optional ones that are left out stay as they are.
         *
         *     Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        put: operations["updateMembership"];
        post?: never;
        /**
         * Remove a membership
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        delete: operations["deleteMembership"];
        options?: never;
        head?: never;
        /**
         * Change some fields of a membership
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        patch: operations["partialUpdateMembership"];
        trace?: never;
    };
    "/api/v1/users/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Needs level 4 Corporativo, 5 Soporte or 6 Superusuario, the account's own.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user
         * @description Needs level 4 Corporativo, 5 Soporte or 6 Superusuario, the account's own.
         */
        get: operations["retrieveUser"];
        /**
         * Update a user
         * @description Required fields must be there; optional ones that are left out stay as they are.
         *
         *     Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Deactivate a user
         * @description Its sessions end and it can no longer log in; its record stays.
         *
         *     Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change some fields of a user
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        patch: operations["partialUpdateUser"];
        trace?: never;
    };
    "/health/live/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process answers
         * @description Needs no token.
         */
        get: operations["checkLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether requests can be answered
         * @description Needs no token.
         */
        get: operations["checkReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The OpenAPI document of this service
         * @description Needs no token.
         */
        get: operations["retrieveOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Credentials: {
            /**
             * @description without regard to case
             * @example director@demo.example
             */
            email: string;
            /** @example demo-obra-1 */
            password: string;
        };
        TokenPair: {
            /**
             * @description for the `Authorization` header; valid for an hour
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0b2tlbl90eXBlIjoiYWNjZXNzIn0.c2lnbmF0dXJl
             */
            access: string;
            /**
             * @description for the next pair; valid for seven days, and spent by it
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0b2tlbl90eXBlIjoiYWNjZXNzIn0.c2lnbmF0dXJl
             */
            refresh: string;
        };
        RefreshBody: {
            /**
             * @description a refresh token
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0b2tlbl90eXBlIjoiYWNjZXNzIn0.c2lnbmF0dXJl
             */
            refresh: string;
        };
        TokenToVerify: {
            /**
             * @description an access or a refresh token
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0b2tlbl90eXBlIjoiYWNjZXNzIn0.c2lnbmF0dXJl
             */
            token: string;
        };
        ValidToken: {
            /** @constant */
            valid: true;
            /** @enum {string} */
            token_type: "access" | "refresh";
            /** @example 7 */
            user_id: number;
            /**
             * @description when it expires, in seconds since 1970
             * @example 1772380800
             */
            exp: number;
        };
        CompanyPage: {
            /**
             * @description records over all pages
             * @example 1
             */
            count: number;
            /**
             * @description absolute URL of the next page; null on the last
             * @example null
             */
            next: string | null;
            /**
             * @description absolute URL of the previous page; null on the first
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Company"][];
        };
        Company: {
            /** @example 7 */
            id: number;
            /**
             * @description unique in the customer
             * @example Obra Bajío
             */
            nombre: string;
            /**
             * @description the customer that owns the company
             * @example 1
             */
            customer: number;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
        };
        /**
         * @example {
         *       "nombre": "Obra Centro",
         *       "customer": 1
         *     }
         */
        CompanyBody: {
            /**
             * @description unique in the customer
             * @example Obra Bajío
             */
            nombre: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description the customer that owns the company
             * @example 1
             */
            customer?: number;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        /**
         * @example {
         *       "nombre": "Obra Noreste"
         *     }
         */
        CompanyPatch: {
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description unique in the customer
             * @example Obra Bajío
             */
            nombre?: string;
            /**
             * @description the customer that owns the company
             * @example 1
             */
            customer?: number;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        ContractPage: {
            /**
             * @description records over all pages
             * @example 1
             */
            count: number;
            /**
             * @description absolute URL of the next page; null on the last
             * @example null
             */
            next: string | null;
            /**
             * @description absolute URL of the previous page; null on the first
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["ContractItem"][];
        };
        ContractItem: {
            /** @example 7 */
            id: number;
            /**
             * @description the company that the contract belongs to
             * @example 7
             */
            company: number;
            /**
             * @description contract reference code, unique in the company
             * @example ON-2026-001
             */
            folio: string;
            /**
             * @description display name of the counterparty
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte: string | null;
            /**
             * @description id of the counterparty
             * @example 7
             */
            contraparte_id: number | null;
            /**
             * @description amount of the contract
             * @example 1500.00
             */
            monto: string;
            /**
             * @description the contract that this one is a subcontract of
             * @example 1
             */
            parent: number | null;
            /**
             * @description currency of its amounts
             * @enum {string}
             */
            moneda: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description first day
             * @example 2026-03-01
             */
            fecha_inicio: string | null;
            /**
             * Format: date
             * @description last day, not before the first
             * @example 2026-12-31
             */
            fecha_fin: string | null;
            /**
             * @description advance that was paid, in percent of the amount
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description part of each estimate that is kept back, in percent
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description value added tax, in percent
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final
             * @enum {string}
             */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
        };
        /**
         * @example {
         *       "folio": "ON-2026-007",
         *       "contraparte": "Inmobiliaria Los Encinos, S.A. de C.V.",
         *       "descripcion": "Estacionamiento de tres niveles",
         *       "monto": "12500000.00",
         *       "moneda": "MXN",
         *       "fecha_inicio": "2026-03-01",
         *       "fecha_fin": "2026-12-31",
         *       "anticipo_porcentaje": "10.00",
         *       "retencion_porcentaje": "5.00",
         *       "iva_porcentaje": "16.00",
         *       "external_id": "ERP-4711"
         *     }
         */
        ContractBody: {
            /**
             * @description contract reference code, unique in the company
             * @example ON-2026-117
             */
            folio: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description may be sent back as answers have it; another than the active company is refused
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description id or exact name of the counterparty
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte?: number | string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly contraparte_id?: unknown;
            /**
             * @description amount of the contract
             * @example 1500.00
             */
            monto?: string | number;
            /**
             * @description the contract that this one is a subcontract of
             * @example 1
             */
            parent?: number | null;
            /**
             * @description currency of its amounts
             * @enum {string}
             */
            moneda?: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description first day
             * @example 2026-03-01
             */
            fecha_inicio?: string | null;
            /**
             * Format: date
             * @description last day, not before the first
             * @example 2026-12-31
             */
            fecha_fin?: string | null;
            /**
             * @description advance that was paid, in percent of the amount
             * @example 10.00
             */
            anticipo_porcentaje?: string | number;
            /**
             * @description part of each estimate that is kept back, in percent
             * @example 5.00
             */
            retencion_porcentaje?: string | number;
            /**
             * @description value added tax, in percent
             * @example 16.00
             */
            iva_porcentaje?: string | number;
            /**
             * @description `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final
             * @enum {string}
             */
            estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
            /**
             * @description what is to be built
             * @example Cimentación y estructura
             */
            descripcion?: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2
             */
            readonly hijos?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 250000.00
             */
            readonly monto_subcontratado?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example {
             *       "USD": "12000.00"
             *     }
             */
            readonly otras_monedas?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 100000.00
             */
            readonly monto_estimado?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 150000.00
             */
            readonly por_estimar?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly children?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly monto_total?: unknown;
        };
        Contract: {
            /** @example 7 */
            id: number;
            /**
             * @description the company that the contract belongs to
             * @example 7
             */
            company: number;
            /**
             * @description contract reference code, unique in the company
             * @example ON-2026-001
             */
            folio: string;
            /**
             * @description display name of the counterparty
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte: string | null;
            /**
             * @description id of the counterparty
             * @example 7
             */
            contraparte_id: number | null;
            /**
             * @description amount of the contract
             * @example 1500.00
             */
            monto: string;
            /**
             * @description the contract that this one is a subcontract of
             * @example 1
             */
            parent: number | null;
            /**
             * @description currency of its amounts
             * @enum {string}
             */
            moneda: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description first day
             * @example 2026-03-01
             */
            fecha_inicio: string | null;
            /**
             * Format: date
             * @description last day, not before the first
             * @example 2026-12-31
             */
            fecha_fin: string | null;
            /**
             * @description advance that was paid, in percent of the amount
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description part of each estimate that is kept back, in percent
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description value added tax, in percent
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final
             * @enum {string}
             */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
            /**
             * @description what is to be built
             * @example Cimentación y estructura
             */
            descripcion: string;
            /**
             * @description number of direct subcontracts
             * @example 2
             */
            hijos: number;
            /**
             * @description sum of the direct subcontracts in its own currency; wider than other amounts
             * @example 250000.00
             */
            monto_subcontratado: string;
            /**
             * @description sums of the direct subcontracts in other currencies
             * @example {
             *       "USD": "12000.00"
             *     }
             */
            otras_monedas: {
                EUR?: string;
                MXN?: string;
                USD?: string;
            };
            /**
             * @description sum of the authorized and paid estimates
             * @example 100000.00
             */
            monto_estimado: string;
            /**
             * @description monto − monto_estimado
             * @example 150000.00
             */
            por_estimar: string;
        };
        /**
         * @example {
         *       "descripcion": "Hospital general de 120 camas, primera etapa",
         *       "fecha_fin": "2027-09-30"
         *     }
         */
        ContractPatch: {
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description may be sent back as answers have it; another than the active company is refused
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description contract reference code, unique in the company
             * @example ON-2026-117
             */
            folio?: string;
            /**
             * @description id or exact name of the counterparty
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte?: number | string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly contraparte_id?: unknown;
            /**
             * @description amount of the contract
             * @example 1500.00
             */
            monto?: string | number;
            /**
             * @description the contract that this one is a subcontract of
             * @example 1
             */
            parent?: number | null;
            /**
             * @description currency of its amounts
             * @enum {string}
             */
            moneda?: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description first day
             * @example 2026-03-01
             */
            fecha_inicio?: string | null;
            /**
             * Format: date
             * @description last day, not before the first
             * @example 2026-12-31
             */
            fecha_fin?: string | null;
            /**
             * @description advance that was paid, in percent of the amount
             * @example 10.00
             */
            anticipo_porcentaje?: string | number;
            /**
             * @description part of each estimate that is kept back, in percent
             * @example 5.00
             */
            retencion_porcentaje?: string | number;
            /**
             * @description value added tax, in percent
             * @example 16.00
             */
            iva_porcentaje?: string | number;
            /**
             * @description `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final
             * @enum {string}
             */
            estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
            /**
             * @description what is to be built
             * @example Cimentación y estructura
             */
            descripcion?: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2
             */
            readonly hijos?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 250000.00
             */
            readonly monto_subcontratado?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example {
             *       "USD": "12000.00"
             *     }
             */
            readonly otras_monedas?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 100000.00
             */
            readonly monto_estimado?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 150000.00
             */
            readonly por_estimar?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly children?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly monto_total?: unknown;
        };
        ContractTree: {
            /** @example 7 */
            id: number;
            /**
             * @description the company that the contract belongs to
             * @example 7
             */
            company: number;
            /**
             * @description contract reference code, unique in the company
             * @example ON-2026-001
             */
            folio: string;
            /**
             * @description display name of the counterparty
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte: string | null;
            /**
             * @description id of the counterparty
             * @example 7
             */
            contraparte_id: number | null;
            /**
             * @description amount of the contract
             * @example 1500.00
             */
            monto: string;
            /**
             * @description the contract that this one is a subcontract of
             * @example 1
             */
            parent: number | null;
            /**
             * @description currency of its amounts
             * @enum {string}
             */
            moneda: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description first day
             * @example 2026-03-01
             */
            fecha_inicio: string | null;
            /**
             * Format: date
             * @description last day, not before the first
             * @example 2026-12-31
             */
            fecha_fin: string | null;
            /**
             * @description advance that was paid, in percent of the amount
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description part of each estimate that is kept back, in percent
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description value added tax, in percent
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final
             * @enum {string}
             */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
            /**
             * @description its own amount and all below in its currency
             * @example 250000.00
             */
            monto_total: string;
            /**
             * @description sums of all below in other currencies
             * @example {
             *       "USD": "12000.00"
             *     }
             */
            otras_monedas: {
                EUR?: string;
                MXN?: string;
                USD?: string;
            };
            children: components["schemas"]["ContractTree"][];
        };
        ContractBulk: {
            items: components["schemas"]["ContractBody"][];
            /**
             * @description items whose `external_id` a record has change that record
             * @enum {string}
             */
            upsert?: "external_id";
        };
        ContractBulkAnswer: {
            /**
             * @description number of items
             * @example 1
             */
            count: number;
            results: components["schemas"]["Contract"][];
        };
        ContrapartePage: {
            /**
             * @description records over all pages
             * @example 1
             */
            count: number;
            /**
             * @description absolute URL of the next page; null on the last
             * @example null
             */
            next: string | null;
            /**
             * @description absolute URL of the previous page; null on the first
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Contraparte"][];
        };
        Contraparte: {
            /** @example 7 */
            id: number;
            /**
             * @description the company that the counterparty belongs to
             * @example 7
             */
            company: number;
            /**
             * @description unique in the company
             * @example Cementos del Bajío
             */
            nombre: string;
            /**
             * @description Mexican tax id (RFC); the six digits are a date
             * @example XAXX010101000
             */
            rfc: string | null;
            /**
             * @description whether the tax id's check digit is wrong; real ones fail it
             * @example false
             */
            rfc_warning: boolean;
            /**
             * @description what it is to the company
             * @example proveedor
             * @enum {string}
             */
            tipo: "cliente" | "proveedor" | "subcontratista" | "otro";
            /**
             * @description address, or nothing
             * @example obras@example.mx
             */
            email: string;
            /**
             * @description telephone number, or nothing
             * @example +52 477 123 4567
             */
            telefono: string;
            /**
             * @description postal address, or nothing
             * @example Av. Juárez 10, León
             */
            direccion: string;
            /**
             * @description notes
             * @example
             */
            notas: string;
            /** @description whether it is dealt with at present */
            activo: boolean;
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
        };
        ContraparteBody: {
            /**
             * @description unique in the company
             * @example Cementos del Bajío
             */
            nombre: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description may be sent back as answers have it; another than the active company is refused
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Mexican tax id (RFC); the six digits are a date
             * @example XAXX010101000
             */
            rfc?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example false
             */
            readonly rfc_warning?: unknown;
            /**
             * @description what it is to the company
             * @example proveedor
             * @enum {string}
             */
            tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
            /**
             * @description address, or nothing
             * @example obras@example.mx
             */
            email?: string;
            /**
             * @description telephone number, or nothing
             * @example +52 477 123 4567
             */
            telefono?: string;
            /**
             * @description postal address, or nothing
             * @example Av. Juárez 10, León
             */
            direccion?: string;
            /**
             * @description notes
             * @example
             */
            notas?: string;
            /** @description whether it is dealt with at present */
            activo?: boolean;
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        /**
         * @example {
         *       "telefono": "+52 477 123 4567",
         *       "email": "obras@example.mx"
         *     }
         */
        ContrapartePatch: {
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description may be sent back as answers have it; another than the active company is refused
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description unique in the company
             * @example Cementos del Bajío
             */
            nombre?: string;
            /**
             * @description Mexican tax id (RFC); the six digits are a date
             * @example XAXX010101000
             */
            rfc?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example false
             */
            readonly rfc_warning?: unknown;
            /**
             * @description what it is to the company
             * @example proveedor
             * @enum {string}
             */
            tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
            /**
             * @description address, or nothing
             * @example obras@example.mx
             */
            email?: string;
            /**
             * @description telephone number, or nothing
             * @example +52 477 123 4567
             */
            telefono?: string;
            /**
             * @description postal address, or nothing
             * @example Av. Juárez 10, León
             */
            direccion?: string;
            /**
             * @description notes
             * @example
             */
            notas?: string;
            /** @description whether it is dealt with at present */
            activo?: boolean;
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        ContraparteBulk: {
            items: components["schemas"]["ContraparteBody"][];
            /**
             * @description items whose `external_id` a record has change that record
             * @enum {string}
             */
            upsert?: "external_id";
        };
        ContraparteBulkAnswer: {
            /**
             * @description number of items
             * @example 1
             */
            count: number;
            results: components["schemas"]["Contraparte"][];
        };
        CustomerPage: {
            /**
             * @description records over all pages
             * @example 1
             */
            count: number;
            /**
             * @description absolute URL of the next page; null on the last
             * @example null
             */
            next: string | null;
            /**
             * @description absolute URL of the previous page; null on the first
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Customer"][];
        };
        Customer: {
            /** @example 7 */
            id: number;
            /**
             * @description name of the customer
             * @example Constructora del Norte
             */
            nombre: string;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
        };
        CustomerBody: {
            /**
             * @description name of the customer
             * @example Constructora del Norte
             */
            nombre: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        CustomerPatch: {
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description name of the customer
             * @example Constructora del Norte
             */
            nombre?: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        EstimatePage: {
            /**
             * @description records over all pages
             * @example 1
             */
            count: number;
            /**
             * @description absolute URL of the next page; null on the last
             * @example null
             */
            next: string | null;
            /**
             * @description absolute URL of the previous page; null on the first
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Estimate"][];
        };
        Estimate: {
            /** @example 7 */
            id: number;
            /**
             * @description the company that the estimate belongs to
             * @example 7
             */
            company: number;
            /**
             * @description id of the contract
             * @example 7
             */
            contract: number;
            /**
             * @description reference code of the contract
             * @example ON-2026-001
             */
            contract_folio: string;
            /** @description place among the estimates of its contract: 1, 2, 3 … */
            numero: number;
            /**
             * Format: date
             * @description first day of the period; both ends are given, or neither
             * @example 2026-03-01
             */
            periodo_inicio: string | null;
            /**
             * Format: date
             * @description last day of the period
             * @example 2026-03-31
             */
            periodo_fin: string | null;
            /**
             * @description what was done
             * @example Avance de marzo
             */
            descripcion: string;
            /**
             * @description work of the period
             * @example 1500.00
             */
            monto: string;
            /**
             * @description what is deducted
             * @example 0.00
             */
            deductivas: string;
            /**
             * @description `borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`
             * @enum {string}
             */
            estado: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            /**
             * @description why it was rejected; required by `rechazada`
             * @example
             */
            motivo_rechazo: string;
            /**
             * Format: uuid
             * @description fiscal folio of the invoice (CFDI)
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid: string | null;
            /**
             * @description the contract's when the estimate was made
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description the contract's when the estimate was made
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description the contract's when the estimate was made
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description part of the advance that is paid back: min(advance left, round(monto × anticipo %, 2))
             * @example 150.00
             */
            amortizacion: string;
            /**
             * @description round((monto − amortizacion) × retención %, 2)
             * @example 67.50
             */
            retencion: string;
            /**
             * @description monto − amortizacion − retencion − deductivas
             * @example 1282.50
             */
            subtotal: string;
            /**
             * @description round(subtotal × IVA %, 2)
             * @example 205.20
             */
            iva: string;
            /**
             * @description subtotal + iva
             * @example 1487.70
             */
            neto: string;
            /**
             * @description sum of the contract's estimates up to this numero, without rejected and cancelled ones; wider than other amounts
             * @example 4500.00
             */
            monto_acumulado: string;
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
        };
        /**
         * @example {
         *       "contract": 1,
         *       "periodo_inicio": "2026-08-01",
         *       "periodo_fin": "2026-08-31",
         *       "descripcion": "Estructura, niveles 5 y 6",
         *       "monto": "1500000.00",
         *       "deductivas": "0.00",
         *       "external_id": "ERP-4711"
         *     }
         */
        EstimateBody: {
            /**
             * @description id of the contract
             * @example 7
             */
            contract: number;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description may be sent back as answers have it; another than the active company is refused
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example ON-2026-001
             */
            readonly contract_folio?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly numero?: unknown;
            /**
             * Format: date
             * @description first day of the period; both ends are given, or neither
             * @example 2026-03-01
             */
            periodo_inicio?: string | null;
            /**
             * Format: date
             * @description last day of the period
             * @example 2026-03-31
             */
            periodo_fin?: string | null;
            /**
             * @description what was done
             * @example Avance de marzo
             */
            descripcion?: string;
            /**
             * @description work of the period
             * @example 1500.00
             */
            monto?: string | number;
            /**
             * @description what is deducted
             * @example 0.00
             */
            deductivas?: string | number;
            /**
             * @description `borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`
             * @enum {string}
             */
            estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            /**
             * @description why it was rejected; required by `rechazada`
             * @example
             */
            motivo_rechazo?: string;
            /**
             * Format: uuid
             * @description fiscal folio of the invoice (CFDI)
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 10.00
             */
            readonly anticipo_porcentaje?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 5.00
             */
            readonly retencion_porcentaje?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 16.00
             */
            readonly iva_porcentaje?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 150.00
             */
            readonly amortizacion?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 67.50
             */
            readonly retencion?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 1282.50
             */
            readonly subtotal?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 205.20
             */
            readonly iva?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 1487.70
             */
            readonly neto?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 4500.00
             */
            readonly monto_acumulado?: unknown;
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        /**
         * @example {
         *       "monto": "5750000.00",
         *       "deductivas": "18500.00"
         *     }
         */
        EstimatePatch: {
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description may be sent back as answers have it; another than the active company is refused
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description id of the contract
             * @example 7
             */
            contract?: number;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example ON-2026-001
             */
            readonly contract_folio?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly numero?: unknown;
            /**
             * Format: date
             * @description first day of the period; both ends are given, or neither
             * @example 2026-03-01
             */
            periodo_inicio?: string | null;
            /**
             * Format: date
             * @description last day of the period
             * @example 2026-03-31
             */
            periodo_fin?: string | null;
            /**
             * @description what was done
             * @example Avance de marzo
             */
            descripcion?: string;
            /**
             * @description work of the period
             * @example 1500.00
             */
            monto?: string | number;
            /**
             * @description what is deducted
             * @example 0.00
             */
            deductivas?: string | number;
            /**
             * @description `borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`
             * @enum {string}
             */
            estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            /**
             * @description why it was rejected; required by `rechazada`
             * @example
             */
            motivo_rechazo?: string;
            /**
             * Format: uuid
             * @description fiscal folio of the invoice (CFDI)
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 10.00
             */
            readonly anticipo_porcentaje?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 5.00
             */
            readonly retencion_porcentaje?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 16.00
             */
            readonly iva_porcentaje?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 150.00
             */
            readonly amortizacion?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 67.50
             */
            readonly retencion?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 1282.50
             */
            readonly subtotal?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 205.20
             */
            readonly iva?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 1487.70
             */
            readonly neto?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 4500.00
             */
            readonly monto_acumulado?: unknown;
            /**
             * @description id of the record in another system, unique in the company
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        EstimateBulk: {
            items: components["schemas"]["EstimateBody"][];
            /**
             * @description items whose `external_id` a record has change that record
             * @enum {string}
             */
            upsert?: "external_id";
        };
        EstimateBulkAnswer: {
            /**
             * @description number of items
             * @example 1
             */
            count: number;
            results: components["schemas"]["Estimate"][];
        };
        Me: {
            /** @example 7 */
            id: number;
            /**
             * @description what one logs in with
             * @example director@demo.example
             */
            email: string;
            /**
             * @description display name
             * @example Daniela Director
             */
            nombre: string;
            /**
             * @description level in the active company; null without one
             * @example 3
             */
            nivel_acceso: number | null;
            /**
             * @description the active company
             * @example 1
             */
            company: number | null;
            /** @description companies that one may make active */
            companies: {
                /** @example 1 */
                id: number;
                /** @example Obra Norte */
                nombre: string;
                /**
                 * @description level there
                 * @example 3
                 */
                nivel_acceso: number;
            }[];
        };
        MePatch: {
            /**
             * @description the company to make active, or null for none
             * @example 1
             */
            company?: number | null;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly id?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly email?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly nombre?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly nivel_acceso?: unknown;
            /** @description may be sent back as answers have it, and changes nothing */
            readonly companies?: unknown;
        };
        PasswordChange: {
            /**
             * @description the present password
             * @example the present one
             */
            current: string;
            /**
             * @description taken as it is, with blanks at its ends
             * @example a longer pass phrase
             */
            new: string;
        };
        MembershipPage: {
            /**
             * @description records over all pages
             * @example 1
             */
            count: number;
            /**
             * @description absolute URL of the next page; null on the last
             * @example null
             */
            next: string | null;
            /**
             * @description absolute URL of the previous page; null on the first
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Membership"][];
        };
        Membership: {
            /** @example 7 */
            id: number;
            /**
             * @description id of the user
             * @example 8
             */
            user: number;
            /**
             * @description id of the company
             * @example 1
             */
            company: number;
            /**
             * @description level in that company: 1 Auxiliar, 2 Coordinador, 3 Director
             * @example 2
             */
            nivel_acceso: number;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
        };
        /**
         * @example {
         *       "user": 8,
         *       "company": 1,
         *       "nivel_acceso": 2
         *     }
         */
        MembershipBody: {
            /**
             * @description id of the user
             * @example 8
             */
            user: number;
            /**
             * @description id of the company
             * @example 1
             */
            company: number;
            /**
             * @description level in that company: 1 Auxiliar, 2 Coordinador, 3 Director
             * @example 2
             */
            nivel_acceso: number;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        /**
         * @example {
         *       "nivel_acceso": 2
         *     }
         */
        MembershipPatch: {
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description id of the user
             * @example 8
             */
            user?: number;
            /**
             * @description id of the company
             * @example 1
             */
            company?: number;
            /**
             * @description level in that company: 1 Auxiliar, 2 Coordinador, 3 Director
             * @example 2
             */
            nivel_acceso?: number;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        UserPage: {
            /**
             * @description records over all pages
             * @example 1
             */
            count: number;
            /**
             * @description absolute URL of the next page; null on the last
             * @example null
             */
            next: string | null;
            /**
             * @description absolute URL of the previous page; null on the first
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["User"][];
        };
        User: {
            /** @example 7 */
            id: number;
            /**
             * @description what the user logs in with, lower case; unique
             * @example director@demo.example
             */
            email: string;
            /**
             * @description display name
             * @example Daniela Director
             */
            nombre: string;
            /**
             * @description the customer that the user belongs to
             * @example 1
             */
            customer: number | null;
            /**
             * @description the account's own level, 4 to 6; the others are those of memberships
             * @example null
             */
            nivel_acceso: number | null;
            /** @description whether the user may log in */
            activo: boolean;
            /**
             * Format: date-time
             * @description when the record was made
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when it was last changed
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description grows with each change of the record
             * @example 3
             */
            version: number;
        };
        /**
         * @example {
         *       "email": "residente@demo.example",
         *       "password": "a longer pass phrase",
         *       "nombre": "Rosa Residente",
         *       "customer": 1
         *     }
         */
        UserBody: {
            /**
             * Format: email
             * @description what the user logs in with, lower case; unique
             * @example residente@demo.example
             */
            email: string;
            /**
             * @description taken as it is, with blanks at its ends
             * @example a longer pass phrase
             */
            password: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description display name
             * @example Daniela Director
             */
            nombre?: string;
            /**
             * @description the customer that the user belongs to
             * @example 1
             */
            customer?: number | null;
            /**
             * @description the account's own level, 4 to 6; the others are those of memberships
             * @example null
             */
            nivel_acceso?: number | null;
            /** @description whether the user may log in */
            activo?: boolean;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
        };
        /**
         * @example {
         *       "email": "auxiliar@demo.example",
         *       "nombre": "Ana Auxiliar Ruiz"
         *     }
         */
        UserPut: {
            /**
             * Format: email
             * @description what the user logs in with, lower case; unique
             * @example residente@demo.example
             */
            email: string;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description display name
             * @example Daniela Director
             */
            nombre?: string;
            /**
             * @description the customer that the user belongs to
             * @example 1
             */
            customer?: number | null;
            /**
             * @description the account's own level, 4 to 6; the others are those of memberships
             * @example null
             */
            nivel_acceso?: number | null;
            /** @description whether the user may log in */
            activo?: boolean;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
            /**
             * @description taken as it is, with blanks at its ends
             * @example a longer pass phrase
             */
            password?: string;
            /**
             * @description the caller's present password: required with a new `password` of the caller's own, refused otherwise
             * @example the present one
             */
            current_password?: string;
        };
        /**
         * @example {
         *       "nombre": "Ana Auxiliar Ruiz"
         *     }
         */
        UserPatch: {
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 7
             */
            readonly id?: unknown;
            /**
             * Format: email
             * @description what the user logs in with, lower case; unique
             * @example residente@demo.example
             */
            email?: string;
            /**
             * @description display name
             * @example Daniela Director
             */
            nombre?: string;
            /**
             * @description the customer that the user belongs to
             * @example 1
             */
            customer?: number | null;
            /**
             * @description the account's own level, 4 to 6; the others are those of memberships
             * @example null
             */
            nivel_acceso?: number | null;
            /** @description whether the user may log in */
            activo?: boolean;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description may be sent back as answers have it, and changes nothing
             * @example 3
             */
            readonly version?: unknown;
            /**
             * @description taken as it is, with blanks at its ends
             * @example a longer pass phrase
             */
            password?: string;
            /**
             * @description the caller's present password: required with a new `password` of the caller's own, refused otherwise
             * @example the present one
             */
            current_password?: string;
        };
        /** @description The process is alive. Nothing else has been looked at. */
        Live: {
            /**
             * @description The process answers.
             * @constant
             */
            status: "ok";
        };
        /** @description Requests can be sent here. */
        Ready: {
            /** @constant */
            status: "ok";
            checks: {
                /**
                 * @description The database answers in time.
                 * @enum {string}
                 */
                database: "ok" | "failed";
                /**
                 * @description Every migration that this version knows has run; `failed` also where the database does not answer.
                 * @enum {string}
                 */
                migrations: "ok" | "failed";
                /**
                 * @description `failed` while the process drains before it ends.
                 * @enum {string}
                 */
                serving: "ok" | "failed";
            };
        };
        /** @description Requests should go elsewhere; `Retry-After` says when to ask again. `checks` says why. */
        NotReady: {
            /** @constant */
            status: "unavailable";
            checks: {
                /**
                 * @description The database answers in time.
                 * @enum {string}
                 */
                database: "ok" | "failed";
                /**
                 * @description Every migration that this version knows has run; `failed` also where the database does not answer.
                 * @enum {string}
                 */
                migrations: "ok" | "failed";
                /**
                 * @description `failed` while the process drains before it ends.
                 * @enum {string}
                 */
                serving: "ok" | "failed";
            };
        };
        /** @description What is wrong with a request. */
        ValidationError: {
            /** @description general message, in the caller's language */
            detail: string;
            /** @description messages by field, such as `folio` or, of an item of a list, `items.3.folio`; those of no one field are under `non_field_errors` */
            errors: {
                [key: string]: string[];
            };
        };
        /** @description Why a request was refused. */
        Problem: {
            /** @description message in the caller's language */
            detail: string;
            /** @description what programs go by: it never changes with the language */
            code: string;
        };
        /** @description Why a token was refused. */
        TokenProblem: {
            /** @description message in the caller's language */
            detail: string;
            /** @description what programs go by: it never changes with the language */
            code: string;
            /** @description beside `token_not_valid`: what is wrong with the token */
            messages?: {
                /** @constant */
                token_class: "AccessToken";
                /** @constant */
                token_type: "access";
                message: string;
            }[];
        };
        /** @description Why a bulk was refused: the first conflict as `detail` and `code` and, where items are the cause, those of all under `errors`. */
        BulkProblem: {
            /** @description message in the caller's language */
            detail: string;
            /** @description what programs go by: it never changes with the language */
            code: string;
            /** @description messages by item, such as `items.3` */
            errors?: {
                [key: string]: string[];
            };
        };
    };
    responses: {
        /** @description Something is wrong with the request. All of it is told at once, by field. */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description There is no access token, or none that is valid now. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenProblem"] & {
                    /** @enum {string} */
                    code: "not_authenticated" | "bad_authorization_header" | "token_not_valid" | "user_inactive";
                };
            };
        };
        /** @description The caller's level does not admit it. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "permission_denied";
                };
            };
        };
        /** @description The caller's level in the active company does not admit it, or there is no active company. */
        ForbiddenInCompany: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "permission_denied" | "no_active_company";
                };
            };
        };
        /** @description There is no such record in reach of the caller. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "not_found";
                };
            };
        };
        /** @description The list has no such page. */
        NoSuchPage: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "not_found";
                };
            };
        };
        /** @description `Accept` admits no JSON. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "not_acceptable";
                };
            };
        };
        /** @description The present state does not admit it, or a request under the same `Idempotency-Key` is still running. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "conflict";
                };
            };
        };
        /** @description The present state of some of the records does not admit it; `errors` names their items. */
        BulkConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BulkProblem"] & {
                    /** @enum {string} */
                    code: "conflict";
                };
            };
        };
        /** @description Other records refer to it, or its present state does not admit it. */
        Protected: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "protected" | "conflict";
                };
            };
        };
        /** @description The service needs it as it is, or another request has changed it at the same moment. */
        ProtectedAccount: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "protected" | "conflict";
                };
            };
        };
        /** @description The record has another version than `If-Match` names: somebody has changed it. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "precondition_failed";
                };
            };
        };
        /** @description The body is larger than the route admits. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "body_too_large";
                };
            };
        };
        /** @description The body is not `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "unsupported_media_type";
                };
            };
        };
        /** @description Something else was asked under this `Idempotency-Key`. */
        IdempotencyMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "idempotency_mismatch";
                };
            };
        };
        /** @description The user or, of requests without a live session, the address has made too many requests in this minute. */
        Throttled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "throttled";
                };
            };
        };
        /** @description A fault of the server; the log has it under the `X-Request-Id`. */
        Failed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "error";
                };
            };
        };
        /** @description The server has more to do than it can, or its database cannot be reached. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "unavailable";
                };
            };
        };
    };
    parameters: {
        /**
         * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
         * @example es
         */
        AcceptLanguage: string;
        /**
         * @description What the request is called in logs; the answer carries it, or one that the server made up.
         * @example erp-20260301-0042
         */
        RequestId: string;
        /**
         * @description ETags of answers that the caller has: 304 if one of them is still true.
         * @example "1.57.o7aWQ2Kd.3"
         */
        IfNoneMatch: string;
        /**
         * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
         * @example "1.57.o7aWQ2Kd.3"
         */
        IfMatch: string;
        /**
         * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
         * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description What the request is called in the log: as the caller called it, or by a name of the server’s.
         * @example erp-20260301-0042
         */
        "X-Request-Id": string;
        /**
         * @description A caller's own cache may keep the answer, and asks each time whether it is still true.
         * @example private, no-cache
         */
        "Cache-Control": string;
        /**
         * @description Request headers that the answer depends on.
         * @example Authorization, Accept, Accept-Language
         */
        Vary: string;
        /**
         * @description Language of the messages in the answer, by `Accept-Language`.
         * @example es
         */
        "Content-Language": "en" | "es";
        /**
         * @description What `If-None-Match` of the next read, and `If-Match` of the next write, may name.
         * @example "1.57.o7aWQ2Kd.3"
         */
        ETag: string;
        /**
         * @description Address of the new record.
         * @example https://obra.example.mx/api/v1/contracts/7/
         */
        Location: string;
        /**
         * @description On an answer that was given before, under the same `Idempotency-Key`.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description The scheme that the caller is to authenticate by.
         * @example Bearer realm="api"
         */
        "WWW-Authenticate": string;
        /**
         * @description On answers to requests with a token: requests that the user may make in a minute.
         * @example 6000
         */
        "RateLimit-Limit": number;
        /**
         * @description Those that are left of this minute.
         * @example 5987
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the next minute.
         * @example 42
         */
        "RateLimit-Reset": number;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 30
         */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    logIn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
            400: components["responses"]["Invalid"];
            /** @description The credentials are wrong, or the token is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        /** @constant */
                        code: "no_active_account";
                    };
                };
            };
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many attempts. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        /** @constant */
                        code: "throttled";
                    };
                };
            };
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshTokens: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshBody"];
            };
        };
        responses: {
            /** @description Done; there is nothing to show. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenToVerify"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidToken"];
                };
            };
            400: components["responses"]["Invalid"];
            /** @description The credentials are wrong, or the token is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        valid: false;
                        detail: string;
                        /** @constant */
                        code: "token_not_valid";
                    } | (components["schemas"]["TokenProblem"] & {
                        /** @enum {string} */
                        code: "not_authenticated" | "bad_authorization_header" | "token_not_valid" | "user_inactive";
                    });
                };
            };
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanies: {
        parameters: {
            query?: {
                /**
                 * @description number of the page, from 1, or `last`
                 * @example 2
                 */
                page?: string;
                /**
                 * @description records a page, 1 to 200, 20 by default
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description words that must all be found, without regard to case and accents
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it, and it means nothing elsewhere */
                cursor?: string;
                /**
                 * @description fields to order by, comma-separated, `-` for descending; always ended by `id`
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "customer" | "-customer" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "nombre"
                 *     ]
                 */
                fields?: ("id" | "nombre" | "customer" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description id of the record
                 * @example 7
                 */
                customer?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyPage"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchPage"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveCompany: {
        parameters: {
            query?: {
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "nombre"
                 *     ]
                 */
                fields?: ("id" | "nombre" | "customer" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContracts: {
        parameters: {
            query?: {
                /**
                 * @description number of the page, from 1, or `last`
                 * @example 2
                 */
                page?: string;
                /**
                 * @description records a page, 1 to 200, 20 by default
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description words that must all be found, without regard to case and accents
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it, and it means nothing elsewhere */
                cursor?: string;
                /**
                 * @description fields to order by, comma-separated, `-` for descending; always ended by `id`
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "folio" | "-folio" | "contraparte" | "-contraparte" | "monto" | "-monto" | "moneda" | "-moneda" | "fecha_inicio" | "-fecha_inicio" | "fecha_fin" | "-fecha_fin" | "estado" | "-estado" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "folio" | "contraparte" | "contraparte_id" | "monto" | "parent" | "moneda" | "fecha_inicio" | "fecha_fin" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "estado" | "external_id" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description contracts of exactly that folio
                 * @example ON-2026-001
                 */
                folio?: string;
                /**
                 * @description id or exact name of the counterparty, or `null` for contracts without one; digits that can be an id are one
                 * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
                 */
                contraparte?: string;
                /**
                 * @description exact name of the counterparty, also one of digits or `null`
                 * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
                 */
                contraparte_nombre?: string;
                /**
                 * @description contracts of that amount or more
                 * @example 1500.00
                 */
                monto_min?: string;
                /**
                 * @description contracts of that amount or less
                 * @example 1500.00
                 */
                monto_max?: string;
                /**
                 * @description id of the parent contract, or `null` for main contracts
                 * @example null
                 */
                parent?: string;
                /** @description contracts in that currency */
                moneda?: "MXN" | "USD" | "EUR";
                /** @description contracts in that state */
                estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
                /**
                 * @description the contract of exactly that external id
                 * @example ERP-4711
                 */
                external_id?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractPage"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NoSuchPage"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveContract: {
        parameters: {
            query?: {
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "folio" | "contraparte" | "contraparte_id" | "monto" | "parent" | "moneda" | "fecha_inicio" | "fecha_fin" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "estado" | "external_id" | "created_at" | "updated_at" | "version" | "descripcion" | "hijos" | "monto_subcontratado" | "otras_monedas" | "monto_estimado" | "por_estimar")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to show. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Protected"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContractAncestors: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 7,
                     *         "company": 7,
                     *         "folio": "ON-2026-001",
                     *         "contraparte": "Cimentaciones Profundas del Bajío, S.A. de C.V.",
                     *         "contraparte_id": 7,
                     *         "monto": "1500.00",
                     *         "parent": 1,
                     *         "moneda": "MXN",
                     *         "fecha_inicio": "2026-03-01",
                     *         "fecha_fin": "2026-12-31",
                     *         "anticipo_porcentaje": "10.00",
                     *         "retencion_porcentaje": "5.00",
                     *         "iva_porcentaje": "16.00",
                     *         "estado": "vigente",
                     *         "external_id": "ERP-4711",
                     *         "created_at": "2026-03-01T15:04:05.123456Z",
                     *         "updated_at": "2026-03-01T15:04:05.123456Z",
                     *         "version": 3
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ContractItem"][];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveContractTree: {
        parameters: {
            query?: {
                /** @description levels below the contract; all by default */
                depth?: number;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractTree"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkContracts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractBulk"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractBulkAnswer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["BulkConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContrapartes: {
        parameters: {
            query?: {
                /**
                 * @description number of the page, from 1, or `last`
                 * @example 2
                 */
                page?: string;
                /**
                 * @description records a page, 1 to 200, 20 by default
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description words that must all be found, without regard to case and accents
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it, and it means nothing elsewhere */
                cursor?: string;
                /**
                 * @description fields to order by, comma-separated, `-` for descending; always ended by `id`
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "rfc" | "-rfc" | "tipo" | "-tipo" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "nombre" | "rfc" | "rfc_warning" | "tipo" | "email" | "telefono" | "direccion" | "notas" | "activo" | "external_id" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description counterparties of that tax id
                 * @example XAXX010101000
                 */
                rfc?: string;
                /** @description counterparties of that kind */
                tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
                /** @description those that are dealt with at present, or the others */
                activo?: boolean;
                /**
                 * @description the counterparty of exactly that external id
                 * @example ERP-4711
                 */
                external_id?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContrapartePage"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NoSuchPage"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createContraparte: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContraparteBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contraparte"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveContraparte: {
        parameters: {
            query?: {
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "nombre" | "rfc" | "rfc_warning" | "tipo" | "email" | "telefono" | "direccion" | "notas" | "activo" | "external_id" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contraparte"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateContraparte: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContraparteBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contraparte"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteContraparte: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to show. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Protected"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateContraparte: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContrapartePatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contraparte"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkContrapartes: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContraparteBulk"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContraparteBulkAnswer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["BulkConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /**
                 * @description number of the page, from 1, or `last`
                 * @example 2
                 */
                page?: string;
                /**
                 * @description records a page, 1 to 200, 20 by default
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description words that must all be found, without regard to case and accents
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it, and it means nothing elsewhere */
                cursor?: string;
                /**
                 * @description fields to order by, comma-separated, `-` for descending; always ended by `id`
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "nombre"
                 *     ]
                 */
                fields?: ("id" | "nombre" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerPage"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchPage"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveCustomer: {
        parameters: {
            query?: {
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "nombre"
                 *     ]
                 */
                fields?: ("id" | "nombre" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEstimates: {
        parameters: {
            query?: {
                /**
                 * @description number of the page, from 1, or `last`
                 * @example 2
                 */
                page?: string;
                /**
                 * @description records a page, 1 to 200, 20 by default
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description words that must all be found, without regard to case and accents
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it, and it means nothing elsewhere */
                cursor?: string;
                /**
                 * @description fields to order by, comma-separated, `-` for descending; always ended by `id`
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "contract" | "-contract" | "numero" | "-numero" | "periodo_inicio" | "-periodo_inicio" | "periodo_fin" | "-periodo_fin" | "monto" | "-monto" | "estado" | "-estado" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "contract" | "contract_folio" | "numero" | "periodo_inicio" | "periodo_fin" | "descripcion" | "monto" | "deductivas" | "estado" | "motivo_rechazo" | "factura_uuid" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "amortizacion" | "retencion" | "subtotal" | "iva" | "neto" | "monto_acumulado" | "external_id" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description id of the contract
                 * @example 1
                 */
                contract?: string;
                /**
                 * @description estimates whose period begins that day or later
                 * @example 2026-03-01
                 */
                periodo_desde?: string;
                /**
                 * @description estimates whose period ends that day or earlier
                 * @example 2026-03-01
                 */
                periodo_hasta?: string;
                /** @description estimates in that state */
                estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
                /**
                 * @description the estimate of exactly that external id
                 * @example ERP-4711
                 */
                external_id?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimatePage"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NoSuchPage"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEstimate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveEstimate: {
        parameters: {
            query?: {
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "contract" | "contract_folio" | "numero" | "periodo_inicio" | "periodo_fin" | "descripcion" | "monto" | "deductivas" | "estado" | "motivo_rechazo" | "factura_uuid" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "amortizacion" | "retencion" | "subtotal" | "iva" | "neto" | "monto_acumulado" | "external_id" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 6
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateEstimate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 6
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteEstimate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 6
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to show. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Protected"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateEstimate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 6
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimatePatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkEstimates: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateBulk"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimateBulkAnswer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["BulkConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveMe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateMe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MePatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Done; there is nothing to show. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many attempts. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        /** @constant */
                        code: "throttled";
                    } | (components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "throttled";
                    });
                };
            };
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMemberships: {
        parameters: {
            query?: {
                /**
                 * @description number of the page, from 1, or `last`
                 * @example 2
                 */
                page?: string;
                /**
                 * @description records a page, 1 to 200, 20 by default
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description words that must all be found, without regard to case and accents
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it, and it means nothing elsewhere */
                cursor?: string;
                /**
                 * @description fields to order by, comma-separated, `-` for descending; always ended by `id`
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "user" | "-user" | "company" | "-company" | "nivel_acceso" | "-nivel_acceso" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "user"
                 *     ]
                 */
                fields?: ("id" | "user" | "company" | "nivel_acceso" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description id of the record
                 * @example 7
                 */
                user?: string;
                /**
                 * @description id of the record
                 * @example 7
                 */
                company?: string;
                /**
                 * @description memberships of that level: 1, 2 or 3
                 * @example 2
                 */
                nivel_acceso?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembershipPage"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchPage"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMembership: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MembershipBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Membership"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveMembership: {
        parameters: {
            query?: {
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "user"
                 *     ]
                 */
                fields?: ("id" | "user" | "company" | "nivel_acceso" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Membership"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMembership: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MembershipBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Membership"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMembership: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to show. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ProtectedAccount"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateMembership: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MembershipPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Membership"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description number of the page, from 1, or `last`
                 * @example 2
                 */
                page?: string;
                /**
                 * @description records a page, 1 to 200, 20 by default
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description words that must all be found, without regard to case and accents
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it, and it means nothing elsewhere */
                cursor?: string;
                /**
                 * @description fields to order by, comma-separated, `-` for descending; always ended by `id`
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "email" | "-email" | "nombre" | "-nombre" | "customer" | "-customer" | "nivel_acceso" | "-nivel_acceso" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "email"
                 *     ]
                 */
                fields?: ("id" | "email" | "nombre" | "customer" | "nivel_acceso" | "activo" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description the user with that address
                 * @example director@demo.example
                 */
                email?: string;
                /**
                 * @description id of the customer, or `null` for users of none
                 * @example 1
                 */
                customer?: string;
                /**
                 * @description the account's own level, 4 to 6, or `null` for users without one
                 * @example 4
                 */
                nivel_acceso?: string;
                /** @description users who may log in, or the others */
                activo?: boolean;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchPage"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing, unless the level or the customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveUser: {
        parameters: {
            query?: {
                /**
                 * @description answer with these fields alone, comma-separated
                 * @example [
                 *       "id",
                 *       "email"
                 *     ]
                 */
                fields?: ("id" | "email" | "nombre" | "customer" | "nivel_acceso" | "activo" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPut"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many attempts. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        /** @constant */
                        code: "throttled";
                    } | (components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "throttled";
                    });
                };
            };
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to show. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ProtectedAccount"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of the record as the caller knows it: 412 if it has changed since. Other records' changes do not count.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description id of the record
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many attempts. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        /** @constant */
                        code: "throttled";
                    } | (components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "throttled";
                    });
                };
            };
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkLive: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Live"];
                };
            };
            400: components["responses"]["Invalid"];
            406: components["responses"]["NotAcceptable"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkReady: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            400: components["responses"]["Invalid"];
            406: components["responses"]["NotAcceptable"];
            500: components["responses"]["Failed"];
            /** @description The service cannot work now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"] | (components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "unavailable";
                    });
                };
            };
        };
    };
    retrieveOpenapi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the caller has: 304 if one of them is still true.
                 * @example "1.57.o7aWQ2Kd.3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "text",
                     *       "info": {},
                     *       "paths": {},
                     *       "components": {}
                     *     }
                     */
                    "application/json": {
                        openapi: string;
                        info: Record<string, never>;
                        paths: Record<string, never>;
                        components: Record<string, never>;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The caller has the present answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
}
