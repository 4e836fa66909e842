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
         * @description Needs an access token of the same session, which may be past its expiry.
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
         * @description Needs an access token, of whatever level.
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
         * @description Needs an access token, of whatever level.
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
         * Update a company; optional fields that are left out stay as they are
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
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
         * Update a contract; optional fields that are left out stay as they are
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        put: operations["updateContract"];
        post?: never;
        /**
         * Delete a contract
         * @description Needs level 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
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
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
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
         * Update a counterparty; optional fields that are left out stay as they are
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        put: operations["updateContraparte"];
        post?: never;
        /**
         * Delete a counterparty
         * @description Needs level 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
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
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
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
         * Update a customer; optional fields that are left out stay as they are
         * @description Needs level 6 Superusuario, the account's own.
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
         * Update an estimate; optional fields that are left out stay as they are
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        put: operations["updateEstimate"];
        post?: never;
        /**
         * Delete an estimate
         * @description Needs level 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
         */
        delete: operations["deleteEstimate"];
        options?: never;
        head?: never;
        /**
         * Change some fields of an estimate
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
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
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario, in the active company.
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
         * Update a membership; optional fields that are left out stay as they are
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
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
         * Update a user; optional fields that are left out stay as they are
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Deactivate a user
         * @description Needs level 4 Corporativo or 6 Superusuario, the account's own.
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
            email: string;
            password: string;
        };
        TokenPair: {
            access: string;
            refresh: string;
        };
        RefreshBody: {
            refresh: string;
        };
        CompanyPage: {
            /** @description records over all pages */
            count: number;
            /** @description absolute URL of the next page */
            next: string | null;
            /** @description absolute URL of the previous page */
            previous: string | null;
            results: components["schemas"]["Company"][];
        };
        Company: {
            id: number;
            /** @description unique in the customer */
            nombre: string;
            customer: number;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
        };
        CompanyBody: {
            nombre: string;
            readonly id?: unknown;
            customer?: number;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        CompanyPatch: {
            readonly id?: unknown;
            nombre?: string;
            customer?: number;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        ContractPage: {
            /** @description records over all pages */
            count: number;
            /** @description absolute URL of the next page */
            next: string | null;
            /** @description absolute URL of the previous page */
            previous: string | null;
            results: components["schemas"]["ContractItem"][];
        };
        ContractItem: {
            id: number;
            company: number;
            /** @description contract reference code, unique in the company */
            folio: string;
            /** @description display name of the counterparty */
            contraparte: string | null;
            contraparte_id: number | null;
            /** @example 1500.00 */
            monto: string;
            /** @description the contract that this one is a subcontract of */
            parent: number | null;
            /** @enum {string} */
            moneda: "MXN" | "USD" | "EUR";
            /** @example 2026-03-01 */
            fecha_inicio: string | null;
            /** @example 2026-03-01 */
            fecha_fin: string | null;
            /** @example 16.00 */
            anticipo_porcentaje: string;
            /** @example 16.00 */
            retencion_porcentaje: string;
            /** @example 16.00 */
            iva_porcentaje: string;
            /** @enum {string} */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            external_id: string | null;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
        };
        ContractBody: {
            folio: string;
            readonly id?: unknown;
            readonly company?: unknown;
            /** @description id or exact name of the counterparty */
            contraparte?: number | string | null;
            readonly contraparte_id?: unknown;
            /** @example 1500.00 */
            monto?: string | number;
            parent?: number | null;
            /** @enum {string} */
            moneda?: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @example 2026-03-01
             */
            fecha_inicio?: string | null;
            /**
             * Format: date
             * @example 2026-03-01
             */
            fecha_fin?: string | null;
            /** @example 16.00 */
            anticipo_porcentaje?: string | number;
            /** @example 16.00 */
            retencion_porcentaje?: string | number;
            /** @example 16.00 */
            iva_porcentaje?: string | number;
            /** @enum {string} */
            estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
            external_id?: string | null;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
            descripcion?: string;
            readonly hijos?: unknown;
            readonly monto_subcontratado?: unknown;
            readonly monto_estimado?: unknown;
            readonly por_estimar?: unknown;
        };
        Contract: {
            id: number;
            company: number;
            /** @description contract reference code, unique in the company */
            folio: string;
            /** @description display name of the counterparty */
            contraparte: string | null;
            contraparte_id: number | null;
            /** @example 1500.00 */
            monto: string;
            /** @description the contract that this one is a subcontract of */
            parent: number | null;
            /** @enum {string} */
            moneda: "MXN" | "USD" | "EUR";
            /** @example 2026-03-01 */
            fecha_inicio: string | null;
            /** @example 2026-03-01 */
            fecha_fin: string | null;
            /** @example 16.00 */
            anticipo_porcentaje: string;
            /** @example 16.00 */
            retencion_porcentaje: string;
            /** @example 16.00 */
            iva_porcentaje: string;
            /** @enum {string} */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            external_id: string | null;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
            descripcion: string;
            /** @description number of direct subcontracts */
            hijos: number;
            /**
             * @description sum of the direct subcontracts; wider than other amounts
             * @example 250000.00
             */
            monto_subcontratado: string;
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
        ContractPatch: {
            readonly id?: unknown;
            readonly company?: unknown;
            folio?: string;
            /** @description id or exact name of the counterparty */
            contraparte?: number | string | null;
            readonly contraparte_id?: unknown;
            /** @example 1500.00 */
            monto?: string | number;
            parent?: number | null;
            /** @enum {string} */
            moneda?: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @example 2026-03-01
             */
            fecha_inicio?: string | null;
            /**
             * Format: date
             * @example 2026-03-01
             */
            fecha_fin?: string | null;
            /** @example 16.00 */
            anticipo_porcentaje?: string | number;
            /** @example 16.00 */
            retencion_porcentaje?: string | number;
            /** @example 16.00 */
            iva_porcentaje?: string | number;
            /** @enum {string} */
            estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
            external_id?: string | null;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
            descripcion?: string;
            readonly hijos?: unknown;
            readonly monto_subcontratado?: unknown;
            readonly monto_estimado?: unknown;
            readonly por_estimar?: unknown;
        };
        ContractTree: {
            id: number;
            company: number;
            /** @description contract reference code, unique in the company */
            folio: string;
            /** @description display name of the counterparty */
            contraparte: string | null;
            contraparte_id: number | null;
            /** @example 1500.00 */
            monto: string;
            /** @description the contract that this one is a subcontract of */
            parent: number | null;
            /** @enum {string} */
            moneda: "MXN" | "USD" | "EUR";
            /** @example 2026-03-01 */
            fecha_inicio: string | null;
            /** @example 2026-03-01 */
            fecha_fin: string | null;
            /** @example 16.00 */
            anticipo_porcentaje: string;
            /** @example 16.00 */
            retencion_porcentaje: string;
            /** @example 16.00 */
            iva_porcentaje: string;
            /** @enum {string} */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            external_id: string | null;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
            /**
             * @description its own amount and all below
             * @example 250000.00
             */
            monto_total: string;
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
            count: number;
            results: components["schemas"]["Contract"][];
        };
        ContrapartePage: {
            /** @description records over all pages */
            count: number;
            /** @description absolute URL of the next page */
            next: string | null;
            /** @description absolute URL of the previous page */
            previous: string | null;
            results: components["schemas"]["Contraparte"][];
        };
        Contraparte: {
            id: number;
            company: number;
            /** @description unique in the company */
            nombre: string;
            /** @description Mexican tax id */
            rfc: string | null;
            /** @description whether the tax id's check digit is wrong; real ones fail it */
            rfc_warning: boolean;
            /** @enum {string} */
            tipo: "cliente" | "proveedor" | "subcontratista" | "otro";
            email: string;
            telefono: string;
            direccion: string;
            notas: string;
            activo: boolean;
            external_id: string | null;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
        };
        ContraparteBody: {
            nombre: string;
            readonly id?: unknown;
            readonly company?: unknown;
            /** @example XAXX010101000 */
            rfc?: string | null;
            readonly rfc_warning?: unknown;
            /** @enum {string} */
            tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
            /** @example obras@example.mx */
            email?: string;
            telefono?: string;
            direccion?: string;
            notas?: string;
            activo?: boolean;
            external_id?: string | null;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        ContrapartePatch: {
            readonly id?: unknown;
            readonly company?: unknown;
            nombre?: string;
            /** @example XAXX010101000 */
            rfc?: string | null;
            readonly rfc_warning?: unknown;
            /** @enum {string} */
            tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
            /** @example obras@example.mx */
            email?: string;
            telefono?: string;
            direccion?: string;
            notas?: string;
            activo?: boolean;
            external_id?: string | null;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
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
            count: number;
            results: components["schemas"]["Contraparte"][];
        };
        CustomerPage: {
            /** @description records over all pages */
            count: number;
            /** @description absolute URL of the next page */
            next: string | null;
            /** @description absolute URL of the previous page */
            previous: string | null;
            results: components["schemas"]["Customer"][];
        };
        Customer: {
            id: number;
            nombre: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
        };
        CustomerBody: {
            nombre: string;
            readonly id?: unknown;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        CustomerPatch: {
            readonly id?: unknown;
            nombre?: string;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        EstimatePage: {
            /** @description records over all pages */
            count: number;
            /** @description absolute URL of the next page */
            next: string | null;
            /** @description absolute URL of the previous page */
            previous: string | null;
            results: components["schemas"]["Estimate"][];
        };
        Estimate: {
            id: number;
            company: number;
            contract: number;
            contract_folio: string;
            /** @description place among the estimates of its contract: 1, 2, 3 … */
            numero: number;
            /** @example 2026-03-01 */
            periodo_inicio: string | null;
            /** @example 2026-03-01 */
            periodo_fin: string | null;
            descripcion: string;
            /** @example 1500.00 */
            monto: string;
            /** @example 1500.00 */
            deductivas: string;
            /** @enum {string} */
            estado: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            motivo_rechazo: string;
            /** @description fiscal folio of the invoice (CFDI) */
            factura_uuid: string | null;
            /** @example 16.00 */
            anticipo_porcentaje: string;
            /** @example 16.00 */
            retencion_porcentaje: string;
            /** @example 16.00 */
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
            external_id: string | null;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
        };
        EstimateBody: {
            contract: number;
            readonly id?: unknown;
            readonly company?: unknown;
            readonly contract_folio?: unknown;
            readonly numero?: unknown;
            /**
             * Format: date
             * @example 2026-03-01
             */
            periodo_inicio?: string | null;
            /**
             * Format: date
             * @example 2026-03-01
             */
            periodo_fin?: string | null;
            descripcion?: string;
            /** @example 1500.00 */
            monto?: string | number;
            /** @example 1500.00 */
            deductivas?: string | number;
            /** @enum {string} */
            estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            motivo_rechazo?: string;
            /**
             * Format: uuid
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid?: string | null;
            readonly anticipo_porcentaje?: unknown;
            readonly retencion_porcentaje?: unknown;
            readonly iva_porcentaje?: unknown;
            readonly amortizacion?: unknown;
            readonly retencion?: unknown;
            readonly subtotal?: unknown;
            readonly iva?: unknown;
            readonly neto?: unknown;
            readonly monto_acumulado?: unknown;
            external_id?: string | null;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        EstimatePatch: {
            readonly id?: unknown;
            readonly company?: unknown;
            contract?: number;
            readonly contract_folio?: unknown;
            readonly numero?: unknown;
            /**
             * Format: date
             * @example 2026-03-01
             */
            periodo_inicio?: string | null;
            /**
             * Format: date
             * @example 2026-03-01
             */
            periodo_fin?: string | null;
            descripcion?: string;
            /** @example 1500.00 */
            monto?: string | number;
            /** @example 1500.00 */
            deductivas?: string | number;
            /** @enum {string} */
            estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            motivo_rechazo?: string;
            /**
             * Format: uuid
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid?: string | null;
            readonly anticipo_porcentaje?: unknown;
            readonly retencion_porcentaje?: unknown;
            readonly iva_porcentaje?: unknown;
            readonly amortizacion?: unknown;
            readonly retencion?: unknown;
            readonly subtotal?: unknown;
            readonly iva?: unknown;
            readonly neto?: unknown;
            readonly monto_acumulado?: unknown;
            external_id?: string | null;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
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
            count: number;
            results: components["schemas"]["Estimate"][];
        };
        Me: {
            id: number;
            email: string;
            nombre: string;
            /** @description level in the active company */
            nivel_acceso: number | null;
            /** @description the active company */
            company: number | null;
            /** @description companies that one may make active */
            companies: {
                id: number;
                nombre: string;
                nivel_acceso: number;
            }[];
        };
        MePatch: {
            company?: number | null;
            readonly id?: unknown;
            readonly email?: unknown;
            readonly nombre?: unknown;
            readonly nivel_acceso?: unknown;
            readonly companies?: unknown;
        };
        PasswordChange: {
            current: string;
            new: string;
        };
        MembershipPage: {
            /** @description records over all pages */
            count: number;
            /** @description absolute URL of the next page */
            next: string | null;
            /** @description absolute URL of the previous page */
            previous: string | null;
            results: components["schemas"]["Membership"][];
        };
        Membership: {
            id: number;
            user: number;
            company: number;
            /** @description 1 Auxiliar, 2 Coordinador, 3 Director */
            nivel_acceso: number;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
        };
        MembershipBody: {
            user: number;
            company: number;
            nivel_acceso: number;
            readonly id?: unknown;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        MembershipPatch: {
            readonly id?: unknown;
            user?: number;
            company?: number;
            nivel_acceso?: number;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        UserPage: {
            /** @description records over all pages */
            count: number;
            /** @description absolute URL of the next page */
            next: string | null;
            /** @description absolute URL of the previous page */
            previous: string | null;
            results: components["schemas"]["User"][];
        };
        User: {
            id: number;
            /** @description what the user logs in with, lower case; unique */
            email: string;
            nombre: string;
            customer: number | null;
            /** @description the account's own level, 4 to 6; the others are those of memberships */
            nivel_acceso: number | null;
            activo: boolean;
            /** @example 2026-03-01T15:04:05.123456Z */
            created_at: string;
            /** @example 2026-03-01T15:04:05.123456Z */
            updated_at: string;
            version: number;
        };
        UserBody: {
            /**
             * Format: email
             * @example director@demo.example
             */
            email: string;
            password: string;
            readonly id?: unknown;
            nombre?: string;
            customer?: number | null;
            nivel_acceso?: number | null;
            activo?: boolean;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
        };
        UserPut: {
            /**
             * Format: email
             * @example director@demo.example
             */
            email: string;
            readonly id?: unknown;
            nombre?: string;
            customer?: number | null;
            nivel_acceso?: number | null;
            activo?: boolean;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
            password?: string;
        };
        UserPatch: {
            readonly id?: unknown;
            /**
             * Format: email
             * @example director@demo.example
             */
            email?: string;
            nombre?: string;
            customer?: number | null;
            nivel_acceso?: number | null;
            activo?: boolean;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly version?: unknown;
            password?: string;
        };
        ValidationError: {
            detail: string;
            /** @description messages by field; `non_field_errors` are those of no one field */
            errors: {
                [key: string]: string[];
            };
        };
        Problem: {
            /** @description message in the caller's language */
            detail: string;
            /** @description never changes with language */
            code: string;
        };
    };
    responses: {
        /** @description Something is wrong with the request: everything that is, by field. */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description No access token, or not a valid one. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller's level is too low, or there is no active company. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such record or page. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `Accept` admits no JSON. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The present state does not admit it. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The record has changed. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key was used with another body. */
        Mismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. */
        Throttled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault of the server. */
        Failed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The database cannot be reached now. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Language of messages: `en` or `es`.
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
         * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
         * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description what the request is called in logs */
        "X-Request-Id": string;
        /** @description caches may keep an answer for its caller, and ask each time whether it is still true */
        "Cache-Control": string;
        /** @description request headers that the answer depends on */
        Vary: string;
        /** @description for `If-None-Match` and `If-Match` */
        ETag: string;
        /** @description address of the new record */
        Location: string;
        /** @description `true` on an answer that was given before */
        "Idempotency-Replayed": "true";
        /** @description the scheme to authenticate by */
        "WWW-Authenticate": string;
        /** @description seconds to wait */
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
                 * @description Language of messages: `en` or `es`.
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
    refreshTokens: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        valid: true;
                        /** @enum {string} */
                        token_type: "access" | "refresh";
                        user_id: number;
                        exp: number;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            /** @description Default Response */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        valid: false;
                        detail: string;
                        /** @constant */
                        code: "token_not_valid";
                    };
                };
            };
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanies: {
        parameters: {
            query?: {
                /** @description number of the page, from 1, or `last` */
                page?: string;
                /** @description records a page, 1 to 200, 20 by default */
                page_size?: number;
                /** @description words that must all be found, without regard to case and accents */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it */
                cursor?: string;
                /** @description fields to order by, comma-separated, `-` for descending */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "customer" | "-customer" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /** @description answer with these fields alone, comma-separated: id, nombre, customer, created_at, updated_at, version */
                fields?: ("id" | "nombre" | "customer" | "created_at" | "updated_at" | "version")[];
                /** @description id of the record */
                customer?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyPage"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveCompany: {
        parameters: {
            query?: {
                /** @description answer with these fields alone, comma-separated: id, nombre, customer, created_at, updated_at, version */
                fields?: ("id" | "nombre" | "customer" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContracts: {
        parameters: {
            query?: {
                /** @description number of the page, from 1, or `last` */
                page?: string;
                /** @description records a page, 1 to 200, 20 by default */
                page_size?: number;
                /** @description words that must all be found, without regard to case and accents */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it */
                cursor?: string;
                /** @description fields to order by, comma-separated, `-` for descending */
                ordering?: ("id" | "-id" | "folio" | "-folio" | "contraparte" | "-contraparte" | "monto" | "-monto" | "moneda" | "-moneda" | "fecha_inicio" | "-fecha_inicio" | "fecha_fin" | "-fecha_fin" | "estado" | "-estado" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /** @description answer with these fields alone, comma-separated: id, company, folio, contraparte, contraparte_id, monto, parent, moneda, fecha_inicio, fecha_fin, anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, estado, external_id, created_at, updated_at, version */
                fields?: ("id" | "company" | "folio" | "contraparte" | "contraparte_id" | "monto" | "parent" | "moneda" | "fecha_inicio" | "fecha_fin" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "estado" | "external_id" | "created_at" | "updated_at" | "version")[];
                folio?: string;
                /** @description id or exact name of the counterparty, or `null` */
                contraparte?: string;
                /** @description id of the parent contract, or `null` */
                parent?: string;
                estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
                moneda?: "MXN" | "USD" | "EUR";
                /** @example 1500.00 */
                monto_min?: string;
                /** @example 1500.00 */
                monto_max?: string;
                external_id?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractPage"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveContract: {
        parameters: {
            query?: {
                /** @description answer with these fields alone, comma-separated: id, company, folio, contraparte, contraparte_id, monto, parent, moneda, fecha_inicio, fecha_fin, anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, estado, external_id, created_at, updated_at, version, descripcion, hijos, monto_subcontratado, monto_estimado, por_estimar */
                fields?: ("id" | "company" | "folio" | "contraparte" | "contraparte_id" | "monto" | "parent" | "moneda" | "fecha_inicio" | "fecha_fin" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "estado" | "external_id" | "created_at" | "updated_at" | "version" | "descripcion" | "hijos" | "monto_subcontratado" | "monto_estimado" | "por_estimar")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContractAncestors: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractItem"][];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractTree"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkContracts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractBulkAnswer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContrapartes: {
        parameters: {
            query?: {
                /** @description number of the page, from 1, or `last` */
                page?: string;
                /** @description records a page, 1 to 200, 20 by default */
                page_size?: number;
                /** @description words that must all be found, without regard to case and accents */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it */
                cursor?: string;
                /** @description fields to order by, comma-separated, `-` for descending */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "rfc" | "-rfc" | "tipo" | "-tipo" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /** @description answer with these fields alone, comma-separated: id, company, nombre, rfc, rfc_warning, tipo, email, telefono, direccion, notas, activo, external_id, created_at, updated_at, version */
                fields?: ("id" | "company" | "nombre" | "rfc" | "rfc_warning" | "tipo" | "email" | "telefono" | "direccion" | "notas" | "activo" | "external_id" | "created_at" | "updated_at" | "version")[];
                /** @example XAXX010101000 */
                rfc?: string;
                tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
                activo?: boolean;
                external_id?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContrapartePage"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createContraparte: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveContraparte: {
        parameters: {
            query?: {
                /** @description answer with these fields alone, comma-separated: id, company, nombre, rfc, rfc_warning, tipo, email, telefono, direccion, notas, activo, external_id, created_at, updated_at, version */
                fields?: ("id" | "company" | "nombre" | "rfc" | "rfc_warning" | "tipo" | "email" | "telefono" | "direccion" | "notas" | "activo" | "external_id" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contraparte"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateContraparte: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contraparte"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteContraparte: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateContraparte: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contraparte"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkContrapartes: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContraparteBulkAnswer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description number of the page, from 1, or `last` */
                page?: string;
                /** @description records a page, 1 to 200, 20 by default */
                page_size?: number;
                /** @description words that must all be found, without regard to case and accents */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it */
                cursor?: string;
                /** @description fields to order by, comma-separated, `-` for descending */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /** @description answer with these fields alone, comma-separated: id, nombre, created_at, updated_at, version */
                fields?: ("id" | "nombre" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerPage"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveCustomer: {
        parameters: {
            query?: {
                /** @description answer with these fields alone, comma-separated: id, nombre, created_at, updated_at, version */
                fields?: ("id" | "nombre" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEstimates: {
        parameters: {
            query?: {
                /** @description number of the page, from 1, or `last` */
                page?: string;
                /** @description records a page, 1 to 200, 20 by default */
                page_size?: number;
                /** @description words that must all be found, without regard to case and accents */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it */
                cursor?: string;
                /** @description fields to order by, comma-separated, `-` for descending */
                ordering?: ("id" | "-id" | "contract" | "-contract" | "numero" | "-numero" | "monto" | "-monto" | "periodo_inicio" | "-periodo_inicio" | "periodo_fin" | "-periodo_fin" | "estado" | "-estado" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /** @description answer with these fields alone, comma-separated: id, company, contract, contract_folio, numero, periodo_inicio, periodo_fin, descripcion, monto, deductivas, estado, motivo_rechazo, factura_uuid, anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, amortizacion, retencion, subtotal, iva, neto, monto_acumulado, external_id, created_at, updated_at, version */
                fields?: ("id" | "company" | "contract" | "contract_folio" | "numero" | "periodo_inicio" | "periodo_fin" | "descripcion" | "monto" | "deductivas" | "estado" | "motivo_rechazo" | "factura_uuid" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "amortizacion" | "retencion" | "subtotal" | "iva" | "neto" | "monto_acumulado" | "external_id" | "created_at" | "updated_at" | "version")[];
                /** @description id of the contract */
                contract?: string;
                estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
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
                external_id?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimatePage"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEstimate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveEstimate: {
        parameters: {
            query?: {
                /** @description answer with these fields alone, comma-separated: id, company, contract, contract_folio, numero, periodo_inicio, periodo_fin, descripcion, monto, deductivas, estado, motivo_rechazo, factura_uuid, anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, amortizacion, retencion, subtotal, iva, neto, monto_acumulado, external_id, created_at, updated_at, version */
                fields?: ("id" | "company" | "contract" | "contract_folio" | "numero" | "periodo_inicio" | "periodo_fin" | "descripcion" | "monto" | "deductivas" | "estado" | "motivo_rechazo" | "factura_uuid" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "amortizacion" | "retencion" | "subtotal" | "iva" | "neto" | "monto_acumulado" | "external_id" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateEstimate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteEstimate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateEstimate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkEstimates: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimateBulkAnswer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveMe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateMe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
    listMemberships: {
        parameters: {
            query?: {
                /** @description number of the page, from 1, or `last` */
                page?: string;
                /** @description records a page, 1 to 200, 20 by default */
                page_size?: number;
                /** @description words that must all be found, without regard to case and accents */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it */
                cursor?: string;
                /** @description fields to order by, comma-separated, `-` for descending */
                ordering?: ("id" | "-id" | "user" | "-user" | "company" | "-company" | "nivel_acceso" | "-nivel_acceso" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /** @description answer with these fields alone, comma-separated: id, user, company, nivel_acceso, created_at, updated_at, version */
                fields?: ("id" | "user" | "company" | "nivel_acceso" | "created_at" | "updated_at" | "version")[];
                /** @description id of the record */
                user?: string;
                /** @description id of the record */
                company?: string;
                /** @description 1, 2 or 3 */
                nivel_acceso?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembershipPage"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMembership: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveMembership: {
        parameters: {
            query?: {
                /** @description answer with these fields alone, comma-separated: id, user, company, nivel_acceso, created_at, updated_at, version */
                fields?: ("id" | "user" | "company" | "nivel_acceso" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Membership"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMembership: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMembership: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateMembership: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description number of the page, from 1, or `last` */
                page?: string;
                /** @description records a page, 1 to 200, 20 by default */
                page_size?: number;
                /** @description words that must all be found, without regard to case and accents */
                search?: string;
                /**
                 * @description records changed at or after that instant
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description where the page starts; `next` carries it */
                cursor?: string;
                /** @description fields to order by, comma-separated, `-` for descending */
                ordering?: ("id" | "-id" | "email" | "-email" | "nombre" | "-nombre" | "customer" | "-customer" | "nivel_acceso" | "-nivel_acceso" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /** @description answer with these fields alone, comma-separated: id, email, nombre, customer, nivel_acceso, activo, created_at, updated_at, version */
                fields?: ("id" | "email" | "nombre" | "customer" | "nivel_acceso" | "activo" | "created_at" | "updated_at" | "version")[];
                /** @example director@demo.example */
                email?: string;
                /** @description id of the customer, or `null` */
                customer?: string;
                /** @description the account's own level, 4 to 6, or `null` */
                nivel_acceso?: string;
                activo?: boolean;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description What the request is called in logs; the answer carries it, or one that the server made up.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description A name for this request, by user, company and route: sent again within 24 hours it gets the same answer and writes nothing.
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
            422: components["responses"]["Mismatch"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveUser: {
        parameters: {
            query?: {
                /** @description answer with these fields alone, comma-separated: id, email, nombre, customer, nivel_acceso, activo, created_at, updated_at, version */
                fields?: ("id" | "email" | "nombre" | "customer" | "nivel_acceso" | "activo" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    partialUpdateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    retrieveOpenapi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`.
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
                    [name: string]: unknown;
                };
                content: {
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
            400: components["responses"]["Invalid"];
            406: components["responses"]["NotAcceptable"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
}
