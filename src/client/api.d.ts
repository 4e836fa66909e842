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
         * Log in
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
         * Refresh the tokens
         * @description Needs the header `Authorization: Bearer <access>` with an access token of the same session, which may have expired. A refresh token works once. If the answer was lost, repeat the request: it gets the next pair again until one of its tokens is used, and for 30 seconds in any case. Later reuse ends the session, because the token may have been stolen.
         *
         *     Needs an access token of the same session, which may have expired.
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
         * @description Its access tokens become invalid immediately.
         *
         *     Needs an access token of any level.
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
         * Verify a token
         * @description A 401 with `"valid": false` refers to the token in the body; a 401 without it refers to the `Authorization` header.
         *
         *     Needs an access token of any level.
         */
        post: operations["verifyToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of all records
         * @description Without `cursor`, a snapshot of all records by resource and id; then the changes since its start, in the order of `revision`. Follow `cursor` until `has_more` is false: then the client has the state of `revision` exactly. A record can come again; keep the higher `version`, and the later record of one version. 410 means: start without a cursor and replace all records.
         *
         *     Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the revisions of the company
         * @description Sends an event `revision` when the revision of the company has changed, and the present one at the start. `id` is a cursor; with `Last-Event-ID` the stream starts there, or is refused as in the change feed. The stream ends when the session, the level or the active company no longer allow it.
         *
         *     Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        get: operations["streamRevisions"];
        put?: never;
        post?: never;
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
         * @description Needs account level 4 Corporativo, 5 Soporte or 6 Superusuario.
         */
        get: operations["listCompanies"];
        put?: never;
        /**
         * Create a company
         * @description Needs account level 4 Corporativo or 6 Superusuario.
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
         * Retrieve a company
         * @description Needs account level 4 Corporativo, 5 Soporte or 6 Superusuario.
         */
        get: operations["retrieveCompany"];
        /**
         * Update a company
         * @description Required fields must be present. Omitted optional fields keep their values.
         *
         *     Needs account level 4 Corporativo or 6 Superusuario.
         */
        put: operations["updateCompany"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Partially update a company
         * @description Needs account level 4 Corporativo or 6 Superusuario.
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
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        get: operations["listContracts"];
        put?: never;
        /**
         * Create a contract
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * Retrieve a contract
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        get: operations["retrieveContract"];
        /**
         * Update a contract
         * @description Required fields must be present. Omitted optional fields keep their values.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        put: operations["updateContract"];
        post?: never;
        /**
         * Delete a contract
         * @description Refused with 409 if the contract has subcontracts or estimates; the message has their numbers.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        delete: operations["deleteContract"];
        options?: never;
        head?: never;
        /**
         * Partially update a contract
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * List the ancestors of a contract, root first
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
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
         * Retrieve a contract with its nested subcontracts
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
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
         * Create or update contracts in bulk
         * @description Up to 1000 items and 16 MiB. Writes all items or none, in the given order. Problems name the item (`items.3.folio`). With `"upsert": "external_id"`, an item with the `external_id` of an existing record updates that record.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        get: operations["listContrapartes"];
        put?: never;
        /**
         * Create a counterparty
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * Retrieve a counterparty
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        get: operations["retrieveContraparte"];
        /**
         * Update a counterparty
         * @description Required fields must be present. Omitted optional fields keep their values.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        put: operations["updateContraparte"];
        post?: never;
        /**
         * Delete a counterparty
         * @description Refused with 409 if contracts use the counterparty; the message has their number.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        delete: operations["deleteContraparte"];
        options?: never;
        head?: never;
        /**
         * Partially update a counterparty
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * Create or update counterparties in bulk
         * @description Up to 1000 items and 16 MiB. Writes all items or none, in the given order. Problems name the item (`items.3.folio`). With `"upsert": "external_id"`, an item with the `external_id` of an existing record updates that record.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * @description Needs account level 5 Soporte or 6 Superusuario.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description Needs account level 6 Superusuario.
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
         * Retrieve a customer
         * @description Needs account level 5 Soporte or 6 Superusuario.
         */
        get: operations["retrieveCustomer"];
        /**
         * Update a customer
         * @description Required fields must be present. Omitted optional fields keep their values.
         *
         *     Needs account level 6 Superusuario.
         */
        put: operations["updateCustomer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Partially update a customer
         * @description Needs account level 6 Superusuario.
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
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        get: operations["listEstimates"];
        put?: never;
        /**
         * Create an estimate
         * @description Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * Retrieve an estimate
         * @description Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        get: operations["retrieveEstimate"];
        /**
         * Update an estimate
         * @description Amounts and period change only in `borrador`; otherwise the answer is 409. Changes to `autorizada`, `rechazada` and `pagada` need level 3 Director, 4 Corporativo or 6 Superusuario.
         *
         *     Required fields must be present. Omitted optional fields keep their values.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        put: operations["updateEstimate"];
        post?: never;
        /**
         * Delete an estimate
         * @description Only the last estimate of a contract can be deleted, and only in `borrador`; otherwise the answer is 409.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        delete: operations["deleteEstimate"];
        options?: never;
        head?: never;
        /**
         * Partially update an estimate
         * @description Amounts and period change only in `borrador`; otherwise the answer is 409. Changes to `autorizada`, `rechazada` and `pagada` need level 3 Director, 4 Corporativo or 6 Superusuario.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * Create or update estimates in bulk
         * @description Up to 1000 items and 16 MiB. Writes all items or none, in the given order. Problems name the item (`items.3.folio`). With `"upsert": "external_id"`, an item with the `external_id` of an existing record updates that record.
         *
         *     Needs level 2 Coordinador, 3 Director, 4 Corporativo or 6 Superusuario in the active company.
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
         * Retrieve the caller's account and companies
         * @description Needs an access token of any level.
         */
        get: operations["retrieveMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the active company
         * @description Needs an access token of any level.
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
         * Change the caller's password and end the other sessions
         * @description Needs an access token of any level.
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
         * @description Needs account level 4 Corporativo, 5 Soporte or 6 Superusuario.
         */
        get: operations["listMemberships"];
        put?: never;
        /**
         * Create a membership
         * @description Needs account level 4 Corporativo or 6 Superusuario.
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
         * Retrieve a membership
         * @description Needs account level 4 Corporativo, 5 Soporte or 6 Superusuario.
         */
        get: operations["retrieveMembership"];
        /**
         * Update a membership
         * @description Required fields must be present. Omitted optional fields keep their values.
         *
         *     Needs account level 4 Corporativo or 6 Superusuario.
         */
        put: operations["updateMembership"];
        post?: never;
        /**
         * Remove a membership
         * @description Needs account level 4 Corporativo or 6 Superusuario.
         */
        delete: operations["deleteMembership"];
        options?: never;
        head?: never;
        /**
         * Partially update a membership
         * @description Needs account level 4 Corporativo or 6 Superusuario.
         */
        patch: operations["partialUpdateMembership"];
        trace?: never;
    };
    "/api/v1/mutations/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a device's edits
         * @description Up to 200 mutations, in order, in one transaction. Each has its own result; a refused one writes nothing and does not stop the others. A repeated mutation gets its stored result, however late, until the device acknowledges it. References to new records are `{"ref": …}`. An update with `base` is refused with 409 if an edited field has another value now.
         *
         *     Needs level 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte or 6 Superusuario in the active company.
         */
        post: operations["sendMutations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Needs account level 4 Corporativo, 5 Soporte or 6 Superusuario.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Needs account level 4 Corporativo or 6 Superusuario.
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
         * Retrieve a user
         * @description Needs account level 4 Corporativo, 5 Soporte or 6 Superusuario.
         */
        get: operations["retrieveUser"];
        /**
         * Update a user
         * @description Required fields must be present. Omitted optional fields keep their values.
         *
         *     Needs account level 4 Corporativo or 6 Superusuario.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Deactivate a user
         * @description Ends the user's sessions and prevents log-in. Keeps the record.
         *
         *     Needs account level 4 Corporativo or 6 Superusuario.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Partially update a user
         * @description Needs account level 4 Corporativo or 6 Superusuario.
         */
        patch: operations["partialUpdateUser"];
        trace?: never;
    };
    "/api/v1/webhooks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a webhook
         * @description Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        get: operations["retrieveWebhook"];
        /**
         * Update a webhook
         * @description Required fields must be present. Omitted optional fields keep their values.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Partially update a webhook
         * @description Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        patch: operations["partialUpdateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description All attempts of the last 30 days.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/replay/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver earlier changes again
         * @description Each record that has changed since then is delivered once, in its latest state.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret
         * @description Deliveries have a signature of both secrets for 24 hours.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/skip/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give up the delivery that fails
         * @description The next one follows at once. Refused with 409 if no delivery fails.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        post: operations["skipDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a ping to a webhook
         * @description Sends `{"type": "ping"}` at once, outside the order and without retries. Answers with the attempt, up to 15 s later.
         *
         *     Needs level 3 Director, 4 Corporativo or 6 Superusuario in the active company.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * Check liveness
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
         * Check readiness
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
         * Retrieve the OpenAPI document
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
             * @description Email address. Case is ignored.
             * @example director@demo.example
             */
            email: string;
            /** @example demo-obra-1 */
            password: string;
        };
        TokenPair: {
            /**
             * @description Access token for the `Authorization` header, valid for one hour.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0b2tlbl90eXBlIjoiYWNjZXNzIn0.c2lnbmF0dXJl
             */
            access: string;
            /**
             * @description Refresh token for the next pair. Works once, within seven days.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0b2tlbl90eXBlIjoiYWNjZXNzIn0.c2lnbmF0dXJl
             */
            refresh: string;
        };
        RefreshBody: {
            /**
             * @description Refresh token.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0b2tlbl90eXBlIjoiYWNjZXNzIn0.c2lnbmF0dXJl
             */
            refresh: string;
        };
        TokenToVerify: {
            /**
             * @description Access or refresh token.
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
             * @description Expiry, in seconds since 1970.
             * @example 1772380800
             */
            exp: number;
        };
        Changes: {
            changes: (components["schemas"]["ContraparteChange"] | components["schemas"]["ContraparteDeletion"] | components["schemas"]["ContractChange"] | components["schemas"]["ContractDeletion"] | components["schemas"]["EstimateChange"] | components["schemas"]["EstimateDeletion"])[];
            /**
             * @description Company of the records.
             * @example 1
             */
            company: number;
            /** @description Where the page ended. Opaque. */
            cursor: string;
            /** @description Whether more pages follow. If not, the client has the state of `revision`. */
            has_more: boolean;
            /**
             * @description Revision of the company that the page shows.
             * @example 1043
             */
            revision: number;
            /** @description Number of records by resource at `revision`. Only on the last page. */
            counts?: {
                contrapartes?: number;
                contracts?: number;
                estimates?: number;
            };
        };
        /** @description The present state of a counterparty, without values of other records. */
        ContraparteChange: {
            /** @constant */
            resource: "contrapartes";
            /** @example 7 */
            id: number;
            /**
             * @description Revision of the last change. In the snapshot, that of the page.
             * @example 1043
             */
            revision: number;
            /**
             * @description Name that the `device` of the request has given to the record.
             * @example c1
             */
            ref?: string;
            record: components["schemas"]["StoredContraparte"];
        };
        StoredContraparte: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the counterparty.
             * @example 7
             */
            company: number;
            /**
             * @description Name, unique in the company.
             * @example Cementos del Bajío
             */
            nombre: string;
            /**
             * @description Mexican tax id (RFC). Its six digits must be a date.
             * @example XAXX010101000
             */
            rfc: string | null;
            /**
             * @description Whether the check digit of the RFC is wrong. Some real RFCs have a wrong one.
             * @example false
             */
            rfc_warning: boolean;
            /**
             * @description Kind of counterparty.
             * @example proveedor
             * @enum {string}
             */
            tipo: "cliente" | "proveedor" | "subcontratista" | "otro";
            /**
             * @description Email address, or an empty string.
             * @example obras@example.mx
             */
            email: string;
            /**
             * @description Telephone number, or an empty string.
             * @example +52 477 123 4567
             */
            telefono: string;
            /**
             * @description Postal address, or an empty string.
             * @example Av. Juárez 10, León
             */
            direccion: string;
            /**
             * @description Notes.
             * @example
             */
            notas: string;
            /** @description Whether the counterparty is active. */
            activo: boolean;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
        };
        ContraparteDeletion: {
            /** @constant */
            resource: "contrapartes";
            /** @example 7 */
            id: number;
            /**
             * @description Revision of the last change. In the snapshot, that of the page.
             * @example 1043
             */
            revision: number;
            /** @constant */
            deleted: true;
        };
        /** @description The present state of a contract, without values of other records. */
        ContractChange: {
            /** @constant */
            resource: "contracts";
            /** @example 7 */
            id: number;
            /**
             * @description Revision of the last change. In the snapshot, that of the page.
             * @example 1043
             */
            revision: number;
            /**
             * @description Name that the `device` of the request has given to the record.
             * @example c1
             */
            ref?: string;
            record: components["schemas"]["StoredContract"];
        };
        StoredContract: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the contract.
             * @example 7
             */
            company: number;
            /**
             * @description Folio: the number of the contract, unique in the company.
             * @example ON-2026-001
             */
            folio: string;
            /**
             * @description Id of the counterparty.
             * @example 7
             */
            contraparte_id: number | null;
            /**
             * @description Amount of the contract.
             * @example 1500.00
             */
            monto: string;
            /**
             * @description Id of the parent contract, for subcontracts.
             * @example 1
             */
            parent: number | null;
            /**
             * @description Currency of the amounts.
             * @enum {string}
             */
            moneda: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description First day.
             * @example 2026-03-01
             */
            fecha_inicio: string | null;
            /**
             * Format: date
             * @description Last day, not before `fecha_inicio`.
             * @example 2026-12-31
             */
            fecha_fin: string | null;
            /**
             * @description Advance payment, in percent of the amount.
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description Retention on each estimate, in percent.
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description Value added tax (IVA), in percent.
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description State. `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final.
             * @enum {string}
             */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description Scope of the contract.
             * @example Cimentación y estructura
             */
            descripcion: string;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
        };
        ContractDeletion: {
            /** @constant */
            resource: "contracts";
            /** @example 7 */
            id: number;
            /**
             * @description Revision of the last change. In the snapshot, that of the page.
             * @example 1043
             */
            revision: number;
            /** @constant */
            deleted: true;
        };
        /** @description The present state of an estimate, without values of other records. */
        EstimateChange: {
            /** @constant */
            resource: "estimates";
            /** @example 7 */
            id: number;
            /**
             * @description Revision of the last change. In the snapshot, that of the page.
             * @example 1043
             */
            revision: number;
            /**
             * @description Name that the `device` of the request has given to the record.
             * @example c1
             */
            ref?: string;
            record: components["schemas"]["StoredEstimate"];
        };
        StoredEstimate: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the estimate.
             * @example 7
             */
            company: number;
            /**
             * @description Id of the contract.
             * @example 7
             */
            contract: number;
            /** @description Number of the estimate in its contract, from 1. */
            numero: number;
            /**
             * Format: date
             * @description First day of the period. Send both `periodo_inicio` and `periodo_fin`, or neither.
             * @example 2026-03-01
             */
            periodo_inicio: string | null;
            /**
             * Format: date
             * @description Last day of the period.
             * @example 2026-03-31
             */
            periodo_fin: string | null;
            /**
             * @description Work done.
             * @example Avance de marzo
             */
            descripcion: string;
            /**
             * @description Amount of the work in the period, before deductions and tax.
             * @example 1500.00
             */
            monto: string;
            /**
             * @description Deductions.
             * @example 0.00
             */
            deductivas: string;
            /**
             * @description State: `borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`.
             * @enum {string}
             */
            estado: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            /**
             * @description Reason for the rejection. Required for `rechazada`.
             * @example
             */
            motivo_rechazo: string;
            /**
             * Format: uuid
             * @description Fiscal folio (UUID) of the invoice (CFDI). Only one estimate of the company that is neither rejected nor cancelled can have it.
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid: string | null;
            /**
             * @description Percentage of the contract when the estimate was created.
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description Percentage of the contract when the estimate was created.
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description Percentage of the contract when the estimate was created.
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * @description Repayment of the advance: `min(advance left, round(monto × anticipo %, 2))`.
             * @example 150.00
             */
            amortizacion?: string;
            /**
             * @description Retention: `round((monto − amortizacion) × retención %, 2)`.
             * @example 67.50
             */
            retencion?: string;
            /**
             * @description Subtotal: `monto − amortizacion − retencion − deductivas`.
             * @example 1282.50
             */
            subtotal?: string;
            /**
             * @description Value added tax: `round(subtotal × IVA %, 2)`.
             * @example 205.20
             */
            iva?: string;
            /**
             * @description Amount to pay: `subtotal + iva`.
             * @example 1487.70
             */
            neto?: string;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
        };
        EstimateDeletion: {
            /** @constant */
            resource: "estimates";
            /** @example 7 */
            id: number;
            /**
             * @description Revision of the last change. In the snapshot, that of the page.
             * @example 1043
             */
            revision: number;
            /** @constant */
            deleted: true;
        };
        CompanyPage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Company"][];
        };
        Company: {
            /** @example 7 */
            id: number;
            /**
             * @description Name, unique in the customer.
             * @example Obra Bajío
             */
            nombre: string;
            /**
             * @description Id of the customer that owns the company.
             * @example 1
             */
            customer: number;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
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
             * @description Name, unique in the customer.
             * @example Obra Bajío
             */
            nombre: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Id of the customer that owns the company.
             * @example 1
             */
            customer?: number;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
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
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Name, unique in the customer.
             * @example Obra Bajío
             */
            nombre?: string;
            /**
             * @description Id of the customer that owns the company.
             * @example 1
             */
            customer?: number;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
        };
        ContractPage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["ContractItem"][];
        };
        ContractItem: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the contract.
             * @example 7
             */
            company: number;
            /**
             * @description Folio: the number of the contract, unique in the company.
             * @example ON-2026-001
             */
            folio: string;
            /**
             * @description Name of the counterparty.
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte: string | null;
            /**
             * @description Id of the counterparty.
             * @example 7
             */
            contraparte_id: number | null;
            /**
             * @description Amount of the contract.
             * @example 1500.00
             */
            monto: string;
            /**
             * @description Id of the parent contract, for subcontracts.
             * @example 1
             */
            parent: number | null;
            /**
             * @description Currency of the amounts.
             * @enum {string}
             */
            moneda: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description First day.
             * @example 2026-03-01
             */
            fecha_inicio: string | null;
            /**
             * Format: date
             * @description Last day, not before `fecha_inicio`.
             * @example 2026-12-31
             */
            fecha_fin: string | null;
            /**
             * @description Advance payment, in percent of the amount.
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description Retention on each estimate, in percent.
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description Value added tax (IVA), in percent.
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description State. `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final.
             * @enum {string}
             */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
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
             * @description Folio: the number of the contract, unique in the company.
             * @example ON-2026-117
             */
            folio: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. If sent, it must be the active company.
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Id or exact name of the counterparty.
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte?: number | string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly contraparte_id?: unknown;
            /**
             * @description Amount of the contract.
             * @example 1500.00
             */
            monto?: string | number;
            /**
             * @description Id of the parent contract, for subcontracts.
             * @example 1
             */
            parent?: number | null;
            /**
             * @description Currency of the amounts.
             * @enum {string}
             */
            moneda?: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description First day.
             * @example 2026-03-01
             */
            fecha_inicio?: string | null;
            /**
             * Format: date
             * @description Last day, not before `fecha_inicio`.
             * @example 2026-12-31
             */
            fecha_fin?: string | null;
            /**
             * @description Advance payment, in percent of the amount.
             * @example 10.00
             */
            anticipo_porcentaje?: string | number;
            /**
             * @description Retention on each estimate, in percent.
             * @example 5.00
             */
            retencion_porcentaje?: string | number;
            /**
             * @description Value added tax (IVA), in percent.
             * @example 16.00
             */
            iva_porcentaje?: string | number;
            /**
             * @description State. `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final.
             * @enum {string}
             */
            estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
            /**
             * @description Scope of the contract.
             * @example Cimentación y estructura
             */
            descripcion?: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2
             */
            readonly hijos?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 250000.00
             */
            readonly monto_subcontratado?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example {
             *       "USD": "12000.00"
             *     }
             */
            readonly otras_monedas?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 100000.00
             */
            readonly monto_estimado?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 150000.00
             */
            readonly por_estimar?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly children?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly monto_total?: unknown;
        };
        Contract: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the contract.
             * @example 7
             */
            company: number;
            /**
             * @description Folio: the number of the contract, unique in the company.
             * @example ON-2026-001
             */
            folio: string;
            /**
             * @description Name of the counterparty.
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte: string | null;
            /**
             * @description Id of the counterparty.
             * @example 7
             */
            contraparte_id: number | null;
            /**
             * @description Amount of the contract.
             * @example 1500.00
             */
            monto: string;
            /**
             * @description Id of the parent contract, for subcontracts.
             * @example 1
             */
            parent: number | null;
            /**
             * @description Currency of the amounts.
             * @enum {string}
             */
            moneda: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description First day.
             * @example 2026-03-01
             */
            fecha_inicio: string | null;
            /**
             * Format: date
             * @description Last day, not before `fecha_inicio`.
             * @example 2026-12-31
             */
            fecha_fin: string | null;
            /**
             * @description Advance payment, in percent of the amount.
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description Retention on each estimate, in percent.
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description Value added tax (IVA), in percent.
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description State. `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final.
             * @enum {string}
             */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
            /**
             * @description Scope of the contract.
             * @example Cimentación y estructura
             */
            descripcion: string;
            /**
             * @description Number of direct subcontracts.
             * @example 2
             */
            hijos: number;
            /**
             * @description Sum of the direct subcontracts in the contract's currency. Can have more digits than other amounts.
             * @example 250000.00
             */
            monto_subcontratado: string;
            /**
             * @description Sums of the direct subcontracts in other currencies, by currency.
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
             * @description Sum of the authorized and paid estimates.
             * @example 100000.00
             */
            monto_estimado: string;
            /**
             * @description Remaining amount: `monto − monto_estimado`.
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
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. If sent, it must be the active company.
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Folio: the number of the contract, unique in the company.
             * @example ON-2026-117
             */
            folio?: string;
            /**
             * @description Id or exact name of the counterparty.
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte?: number | string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly contraparte_id?: unknown;
            /**
             * @description Amount of the contract.
             * @example 1500.00
             */
            monto?: string | number;
            /**
             * @description Id of the parent contract, for subcontracts.
             * @example 1
             */
            parent?: number | null;
            /**
             * @description Currency of the amounts.
             * @enum {string}
             */
            moneda?: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description First day.
             * @example 2026-03-01
             */
            fecha_inicio?: string | null;
            /**
             * Format: date
             * @description Last day, not before `fecha_inicio`.
             * @example 2026-12-31
             */
            fecha_fin?: string | null;
            /**
             * @description Advance payment, in percent of the amount.
             * @example 10.00
             */
            anticipo_porcentaje?: string | number;
            /**
             * @description Retention on each estimate, in percent.
             * @example 5.00
             */
            retencion_porcentaje?: string | number;
            /**
             * @description Value added tax (IVA), in percent.
             * @example 16.00
             */
            iva_porcentaje?: string | number;
            /**
             * @description State. `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final.
             * @enum {string}
             */
            estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
            /**
             * @description Scope of the contract.
             * @example Cimentación y estructura
             */
            descripcion?: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2
             */
            readonly hijos?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 250000.00
             */
            readonly monto_subcontratado?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example {
             *       "USD": "12000.00"
             *     }
             */
            readonly otras_monedas?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 100000.00
             */
            readonly monto_estimado?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 150000.00
             */
            readonly por_estimar?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly children?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly monto_total?: unknown;
        };
        ContractTree: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the contract.
             * @example 7
             */
            company: number;
            /**
             * @description Folio: the number of the contract, unique in the company.
             * @example ON-2026-001
             */
            folio: string;
            /**
             * @description Name of the counterparty.
             * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
             */
            contraparte: string | null;
            /**
             * @description Id of the counterparty.
             * @example 7
             */
            contraparte_id: number | null;
            /**
             * @description Amount of the contract.
             * @example 1500.00
             */
            monto: string;
            /**
             * @description Id of the parent contract, for subcontracts.
             * @example 1
             */
            parent: number | null;
            /**
             * @description Currency of the amounts.
             * @enum {string}
             */
            moneda: "MXN" | "USD" | "EUR";
            /**
             * Format: date
             * @description First day.
             * @example 2026-03-01
             */
            fecha_inicio: string | null;
            /**
             * Format: date
             * @description Last day, not before `fecha_inicio`.
             * @example 2026-12-31
             */
            fecha_fin: string | null;
            /**
             * @description Advance payment, in percent of the amount.
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description Retention on each estimate, in percent.
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description Value added tax (IVA), in percent.
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description State. `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final.
             * @enum {string}
             */
            estado: "vigente" | "suspendido" | "terminado" | "cancelado";
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
            /**
             * @description Sum of the contract and all its subcontracts in the contract's currency.
             * @example 250000.00
             */
            monto_total: string;
            /**
             * @description Sums of all its subcontracts in other currencies, by currency.
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
             * @description Items with the `external_id` of an existing record update that record.
             * @enum {string}
             */
            upsert?: "external_id";
        };
        ContractBulkAnswer: {
            /**
             * @description Number of items.
             * @example 1
             */
            count: number;
            results: components["schemas"]["Contract"][];
        };
        ContrapartePage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Contraparte"][];
        };
        Contraparte: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the counterparty.
             * @example 7
             */
            company: number;
            /**
             * @description Name, unique in the company.
             * @example Cementos del Bajío
             */
            nombre: string;
            /**
             * @description Mexican tax id (RFC). Its six digits must be a date.
             * @example XAXX010101000
             */
            rfc: string | null;
            /**
             * @description Whether the check digit of the RFC is wrong. Some real RFCs have a wrong one.
             * @example false
             */
            rfc_warning: boolean;
            /**
             * @description Kind of counterparty.
             * @example proveedor
             * @enum {string}
             */
            tipo: "cliente" | "proveedor" | "subcontratista" | "otro";
            /**
             * @description Email address, or an empty string.
             * @example obras@example.mx
             */
            email: string;
            /**
             * @description Telephone number, or an empty string.
             * @example +52 477 123 4567
             */
            telefono: string;
            /**
             * @description Postal address, or an empty string.
             * @example Av. Juárez 10, León
             */
            direccion: string;
            /**
             * @description Notes.
             * @example
             */
            notas: string;
            /** @description Whether the counterparty is active. */
            activo: boolean;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
        };
        ContraparteBody: {
            /**
             * @description Name, unique in the company.
             * @example Cementos del Bajío
             */
            nombre: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. If sent, it must be the active company.
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Mexican tax id (RFC). Its six digits must be a date.
             * @example XAXX010101000
             */
            rfc?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example false
             */
            readonly rfc_warning?: unknown;
            /**
             * @description Kind of counterparty.
             * @example proveedor
             * @enum {string}
             */
            tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
            /**
             * @description Email address, or an empty string.
             * @example obras@example.mx
             */
            email?: string;
            /**
             * @description Telephone number, or an empty string.
             * @example +52 477 123 4567
             */
            telefono?: string;
            /**
             * @description Postal address, or an empty string.
             * @example Av. Juárez 10, León
             */
            direccion?: string;
            /**
             * @description Notes.
             * @example
             */
            notas?: string;
            /** @description Whether the counterparty is active. */
            activo?: boolean;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
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
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. If sent, it must be the active company.
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Name, unique in the company.
             * @example Cementos del Bajío
             */
            nombre?: string;
            /**
             * @description Mexican tax id (RFC). Its six digits must be a date.
             * @example XAXX010101000
             */
            rfc?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example false
             */
            readonly rfc_warning?: unknown;
            /**
             * @description Kind of counterparty.
             * @example proveedor
             * @enum {string}
             */
            tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
            /**
             * @description Email address, or an empty string.
             * @example obras@example.mx
             */
            email?: string;
            /**
             * @description Telephone number, or an empty string.
             * @example +52 477 123 4567
             */
            telefono?: string;
            /**
             * @description Postal address, or an empty string.
             * @example Av. Juárez 10, León
             */
            direccion?: string;
            /**
             * @description Notes.
             * @example
             */
            notas?: string;
            /** @description Whether the counterparty is active. */
            activo?: boolean;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
        };
        ContraparteBulk: {
            items: components["schemas"]["ContraparteBody"][];
            /**
             * @description Items with the `external_id` of an existing record update that record.
             * @enum {string}
             */
            upsert?: "external_id";
        };
        ContraparteBulkAnswer: {
            /**
             * @description Number of items.
             * @example 1
             */
            count: number;
            results: components["schemas"]["Contraparte"][];
        };
        CustomerPage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Customer"][];
        };
        Customer: {
            /** @example 7 */
            id: number;
            /**
             * @description Name of the customer.
             * @example Constructora del Norte
             */
            nombre: string;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
        };
        CustomerBody: {
            /**
             * @description Name of the customer.
             * @example Constructora del Norte
             */
            nombre: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
        };
        CustomerPatch: {
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Name of the customer.
             * @example Constructora del Norte
             */
            nombre?: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
        };
        EstimatePage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Estimate"][];
        };
        Estimate: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the estimate.
             * @example 7
             */
            company: number;
            /**
             * @description Id of the contract.
             * @example 7
             */
            contract: number;
            /**
             * @description Folio of the contract.
             * @example ON-2026-001
             */
            contract_folio: string;
            /** @description Number of the estimate in its contract, from 1. */
            numero: number;
            /**
             * Format: date
             * @description First day of the period. Send both `periodo_inicio` and `periodo_fin`, or neither.
             * @example 2026-03-01
             */
            periodo_inicio: string | null;
            /**
             * Format: date
             * @description Last day of the period.
             * @example 2026-03-31
             */
            periodo_fin: string | null;
            /**
             * @description Work done.
             * @example Avance de marzo
             */
            descripcion: string;
            /**
             * @description Amount of the work in the period, before deductions and tax.
             * @example 1500.00
             */
            monto: string;
            /**
             * @description Deductions.
             * @example 0.00
             */
            deductivas: string;
            /**
             * @description State: `borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`.
             * @enum {string}
             */
            estado: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            /**
             * @description Reason for the rejection. Required for `rechazada`.
             * @example
             */
            motivo_rechazo: string;
            /**
             * Format: uuid
             * @description Fiscal folio (UUID) of the invoice (CFDI). Only one estimate of the company that is neither rejected nor cancelled can have it.
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid: string | null;
            /**
             * @description Percentage of the contract when the estimate was created.
             * @example 10.00
             */
            anticipo_porcentaje: string;
            /**
             * @description Percentage of the contract when the estimate was created.
             * @example 5.00
             */
            retencion_porcentaje: string;
            /**
             * @description Percentage of the contract when the estimate was created.
             * @example 16.00
             */
            iva_porcentaje: string;
            /**
             * @description Repayment of the advance: `min(advance left, round(monto × anticipo %, 2))`.
             * @example 150.00
             */
            amortizacion: string;
            /**
             * @description Retention: `round((monto − amortizacion) × retención %, 2)`.
             * @example 67.50
             */
            retencion: string;
            /**
             * @description Subtotal: `monto − amortizacion − retencion − deductivas`.
             * @example 1282.50
             */
            subtotal: string;
            /**
             * @description Value added tax: `round(subtotal × IVA %, 2)`.
             * @example 205.20
             */
            iva: string;
            /**
             * @description Amount to pay: `subtotal + iva`.
             * @example 1487.70
             */
            neto: string;
            /**
             * @description Sum of the contract's estimates up to this `numero`, except rejected and cancelled ones. Can have more digits than other amounts.
             * @example 4500.00
             */
            monto_acumulado: string;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
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
             * @description Id of the contract.
             * @example 7
             */
            contract: number;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. If sent, it must be the active company.
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example ON-2026-001
             */
            readonly contract_folio?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly numero?: unknown;
            /**
             * Format: date
             * @description First day of the period. Send both `periodo_inicio` and `periodo_fin`, or neither.
             * @example 2026-03-01
             */
            periodo_inicio?: string | null;
            /**
             * Format: date
             * @description Last day of the period.
             * @example 2026-03-31
             */
            periodo_fin?: string | null;
            /**
             * @description Work done.
             * @example Avance de marzo
             */
            descripcion?: string;
            /**
             * @description Amount of the work in the period, before deductions and tax.
             * @example 1500.00
             */
            monto?: string | number;
            /**
             * @description Deductions.
             * @example 0.00
             */
            deductivas?: string | number;
            /**
             * @description State: `borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`.
             * @enum {string}
             */
            estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            /**
             * @description Reason for the rejection. Required for `rechazada`.
             * @example
             */
            motivo_rechazo?: string;
            /**
             * Format: uuid
             * @description Fiscal folio (UUID) of the invoice (CFDI). Only one estimate of the company that is neither rejected nor cancelled can have it.
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 10.00
             */
            readonly anticipo_porcentaje?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 5.00
             */
            readonly retencion_porcentaje?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 16.00
             */
            readonly iva_porcentaje?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 150.00
             */
            readonly amortizacion?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 67.50
             */
            readonly retencion?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 1282.50
             */
            readonly subtotal?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 205.20
             */
            readonly iva?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 1487.70
             */
            readonly neto?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 4500.00
             */
            readonly monto_acumulado?: unknown;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
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
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. If sent, it must be the active company.
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Id of the contract.
             * @example 7
             */
            contract?: number;
            /**
             * @description Read-only. Accepted and ignored.
             * @example ON-2026-001
             */
            readonly contract_folio?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly numero?: unknown;
            /**
             * Format: date
             * @description First day of the period. Send both `periodo_inicio` and `periodo_fin`, or neither.
             * @example 2026-03-01
             */
            periodo_inicio?: string | null;
            /**
             * Format: date
             * @description Last day of the period.
             * @example 2026-03-31
             */
            periodo_fin?: string | null;
            /**
             * @description Work done.
             * @example Avance de marzo
             */
            descripcion?: string;
            /**
             * @description Amount of the work in the period, before deductions and tax.
             * @example 1500.00
             */
            monto?: string | number;
            /**
             * @description Deductions.
             * @example 0.00
             */
            deductivas?: string | number;
            /**
             * @description State: `borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`.
             * @enum {string}
             */
            estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
            /**
             * @description Reason for the rejection. Required for `rechazada`.
             * @example
             */
            motivo_rechazo?: string;
            /**
             * Format: uuid
             * @description Fiscal folio (UUID) of the invoice (CFDI). Only one estimate of the company that is neither rejected nor cancelled can have it.
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            factura_uuid?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 10.00
             */
            readonly anticipo_porcentaje?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 5.00
             */
            readonly retencion_porcentaje?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 16.00
             */
            readonly iva_porcentaje?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 150.00
             */
            readonly amortizacion?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 67.50
             */
            readonly retencion?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 1282.50
             */
            readonly subtotal?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 205.20
             */
            readonly iva?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 1487.70
             */
            readonly neto?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 4500.00
             */
            readonly monto_acumulado?: unknown;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
        };
        EstimateBulk: {
            items: components["schemas"]["EstimateBody"][];
            /**
             * @description Items with the `external_id` of an existing record update that record.
             * @enum {string}
             */
            upsert?: "external_id";
        };
        EstimateBulkAnswer: {
            /**
             * @description Number of items.
             * @example 1
             */
            count: number;
            results: components["schemas"]["Estimate"][];
        };
        Me: {
            /** @example 7 */
            id: number;
            /**
             * @description Email address for log-in.
             * @example director@demo.example
             */
            email: string;
            /**
             * @description Display name.
             * @example Daniela Director
             */
            nombre: string;
            /**
             * @description Access level in the active company. Null without one.
             * @example 3
             */
            nivel_acceso: number | null;
            /**
             * @description Active company.
             * @example 1
             */
            company: number | null;
            /** @description Companies that the user can make active. */
            companies: {
                /** @example 1 */
                id: number;
                /** @example Obra Norte */
                nombre: string;
                /**
                 * @description Access level in that company.
                 * @example 3
                 */
                nivel_acceso: number;
            }[];
        };
        MePatch: {
            /**
             * @description Company to make active, or null for none.
             * @example 1
             */
            company?: number | null;
            /** @description Read-only. Accepted and ignored. */
            readonly id?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly email?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly nombre?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly nivel_acceso?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly companies?: unknown;
        };
        PasswordChange: {
            /**
             * @description Current password.
             * @example the present one
             */
            current: string;
            /**
             * @description New password. Leading and trailing spaces count.
             * @example a longer pass phrase
             */
            new: string;
        };
        MembershipPage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Membership"][];
        };
        Membership: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the user.
             * @example 8
             */
            user: number;
            /**
             * @description Id of the company.
             * @example 1
             */
            company: number;
            /**
             * @description Access level in the company: 1 Auxiliar, 2 Coordinador, 3 Director.
             * @example 2
             */
            nivel_acceso: number;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
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
             * @description Id of the user.
             * @example 8
             */
            user: number;
            /**
             * @description Id of the company.
             * @example 1
             */
            company: number;
            /**
             * @description Access level in the company: 1 Auxiliar, 2 Coordinador, 3 Director.
             * @example 2
             */
            nivel_acceso: number;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
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
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Id of the user.
             * @example 8
             */
            user?: number;
            /**
             * @description Id of the company.
             * @example 1
             */
            company?: number;
            /**
             * @description Access level in the company: 1 Auxiliar, 2 Coordinador, 3 Director.
             * @example 2
             */
            nivel_acceso?: number;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
        };
        /**
         * @example {
         *       "device": "0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11",
         *       "acknowledged": 0,
         *       "mutations": [
         *         {
         *           "id": 1,
         *           "op": "create",
         *           "resource": "contracts",
         *           "ref": "c1",
         *           "body": {
         *             "folio": "CASETA-2"
         *           }
         *         },
         *         {
         *           "id": 2,
         *           "op": "create",
         *           "resource": "estimates",
         *           "body": {
         *             "contract": {
         *               "ref": "c1"
         *             },
         *             "monto": "1000.00"
         *           }
         *         }
         *       ]
         *     }
         */
        Mutations: {
            /**
             * Format: uuid
             * @description Id that the app has generated once.
             * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
             */
            device: string;
            /**
             * @description The device has the results of all mutations up to this id.
             * @example 40
             */
            acknowledged?: number;
            /** @description Where the device is in the change feed. The mutations run only if it can be continued: not for another company's records, or after the database was restored. */
            cursor?: string;
            mutations: components["schemas"]["Mutation"][];
        };
        Mutation: {
            /**
             * @description Number of the mutation, which the device counts up.
             * @example 41
             */
            id: number;
            /** @enum {string} */
            op: "create" | "update" | "delete";
            /**
             * @example contracts
             * @enum {string}
             */
            resource: "contrapartes" | "contracts" | "estimates";
            /**
             * @description Id of the record, or `{"ref": …}` for one that this device has created.
             * @example 57
             */
            record?: number | {
                /**
                 * @description Name that the device gives to the record.
                 * @example c1
                 */
                ref: string;
            };
            /**
             * @description For `create`: name of the new record, with which later mutations refer to it.
             * @example c1
             */
            ref?: string;
            /** @description For `update`: the values that the device had. A field that has another value now is in conflict. */
            base?: {
                [key: string]: unknown;
            };
            /** @description Fields as in POST or PATCH of the resource. References can be `{"ref": …}`. */
            body?: {
                [key: string]: unknown;
            };
            /** @description For `delete`: the version that the device has seen. */
            version?: number;
        };
        MutationResults: {
            /** @description One per mutation, in order. */
            results: components["schemas"]["MutationResult"][];
            /** @description The same position in the feed. With this cursor, the feed notices if a restore loses these mutations. */
            cursor?: string;
        };
        MutationResult: {
            /**
             * @description Id of the mutation.
             * @example 41
             */
            id: number;
            /**
             * @description Status that the request would have by itself, or 424 if it needs a record that does not exist.
             * @example 201
             */
            status: number;
            /** @description The record that was created or changed, or that is in conflict. */
            record?: {
                /** @example 7 */
                id: number;
                /** @example 1 */
                version: number;
            };
            /**
             * @description Code of a refusal, except 400.
             * @example conflict
             */
            code?: string;
            detail?: string;
            /** @description For 400: messages by field. */
            errors?: {
                [key: string]: string[];
            };
            /** @description For 400: codes by field, in the order of the messages. Results that were stored by an earlier release have none. */
            codes?: {
                [key: string]: ("below_authorized" | "blank" | "combining_marks" | "company_mismatch" | "company_unreachable" | "conflict" | "contract_cancelled" | "contract_closed" | "currency_in_use" | "customer_required" | "deductions_too_large" | "derived_too_large" | "does_not_exist" | "end_before_start" | "exceeds_contract" | "has_memberships" | "immutable" | "incorrect_type" | "invalid" | "invalid_choice" | "invalid_cursor" | "invalid_transition" | "invoice_taken" | "last_superusuario" | "level_above_own" | "malformed" | "max_decimal_places" | "max_length" | "max_value" | "max_whole_digits" | "min_length" | "min_value" | "more_problems" | "not_a_dict" | "not_a_list" | "not_utf8" | "null" | "null_characters_not_allowed" | "other_customer" | "parent_cycle" | "parent_depth" | "parse_error" | "password_incorrect" | "password_unused" | "period_incomplete" | "period_overlaps" | "repeated" | "required" | "too_many" | "unique" | "unknown_field" | "unknown_parameter" | "url_address" | "url_credentials" | "url_fragment" | "url_port" | "url_scheme")[];
            };
            /** @description For a conflict: the three values of each field. */
            fields?: {
                [key: string]: {
                    base: unknown;
                    current: unknown;
                    yours: unknown;
                };
            };
            /**
             * @description Whether this is the stored result of an earlier request.
             * @example true
             */
            replayed?: boolean;
        };
        UserPage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["User"][];
        };
        User: {
            /** @example 7 */
            id: number;
            /**
             * @description Email address for log-in, in lower case. Unique.
             * @example director@demo.example
             */
            email: string;
            /**
             * @description Display name.
             * @example Daniela Director
             */
            nombre: string;
            /**
             * @description Id of the user's customer.
             * @example 1
             */
            customer: number | null;
            /**
             * @description Access level of the account, 4 to 6. Memberships have levels 1 to 3.
             * @example null
             */
            nivel_acceso: number | null;
            /** @description Whether the user can log in. */
            activo: boolean;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
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
             * @description Email address for log-in, in lower case. Unique.
             * @example residente@demo.example
             */
            email: string;
            /**
             * @description New password. Leading and trailing spaces count.
             * @example a longer pass phrase
             */
            password: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Display name.
             * @example Daniela Director
             */
            nombre?: string;
            /**
             * @description Id of the user's customer.
             * @example 1
             */
            customer?: number | null;
            /**
             * @description Access level of the account, 4 to 6. Memberships have levels 1 to 3.
             * @example null
             */
            nivel_acceso?: number | null;
            /** @description Whether the user can log in. */
            activo?: boolean;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
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
             * @description Email address for log-in, in lower case. Unique.
             * @example residente@demo.example
             */
            email: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Display name.
             * @example Daniela Director
             */
            nombre?: string;
            /**
             * @description Id of the user's customer.
             * @example 1
             */
            customer?: number | null;
            /**
             * @description Access level of the account, 4 to 6. Memberships have levels 1 to 3.
             * @example null
             */
            nivel_acceso?: number | null;
            /** @description Whether the user can log in. */
            activo?: boolean;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
            /**
             * @description New password. Leading and trailing spaces count.
             * @example a longer pass phrase
             */
            password?: string;
            /**
             * @description Current password. Required to change your own `password`, refused otherwise.
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
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * Format: email
             * @description Email address for log-in, in lower case. Unique.
             * @example residente@demo.example
             */
            email?: string;
            /**
             * @description Display name.
             * @example Daniela Director
             */
            nombre?: string;
            /**
             * @description Id of the user's customer.
             * @example 1
             */
            customer?: number | null;
            /**
             * @description Access level of the account, 4 to 6. Memberships have levels 1 to 3.
             * @example null
             */
            nivel_acceso?: number | null;
            /** @description Whether the user can log in. */
            activo?: boolean;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
            /**
             * @description New password. Leading and trailing spaces count.
             * @example a longer pass phrase
             */
            password?: string;
            /**
             * @description Current password. Required to change your own `password`, refused otherwise.
             * @example the present one
             */
            current_password?: string;
        };
        WebhookPage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Webhook"][];
        };
        Webhook: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the webhook.
             * @example 7
             */
            company: number;
            /**
             * @description Address that receives the deliveries: `https`, with a public host. One webhook per company and address; stored in its normal form.
             * @example https://erp.obra.example/obra
             */
            url: string;
            /**
             * @description Changes that are delivered. Default: all.
             * @example [
             *       "contracts.created",
             *       "contracts.updated"
             *     ]
             */
            events: ("contrapartes.created" | "contrapartes.updated" | "contrapartes.deleted" | "contracts.created" | "contracts.updated" | "contracts.deleted" | "estimates.created" | "estimates.updated" | "estimates.deleted")[];
            /**
             * @description Description.
             * @example ERP
             */
            descripcion: string;
            /**
             * @description Most changes in one delivery. Above 1, `data` of a delivery is a list.
             * @example 1
             */
            batch: number;
            /** @description Whether changes are delivered. The service switches it off after five days of failures, or after an answer 410. */
            activo: boolean;
            /**
             * @description Why the service has switched the webhook off. Null if it has not.
             * @example null
             */
            motivo_inactivo: string | null;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
        };
        /**
         * @example {
         *       "url": "https://erp.obra.example/obra",
         *       "events": [
         *         "contracts.created",
         *         "contracts.updated"
         *       ],
         *       "descripcion": "ERP"
         *     }
         */
        WebhookBody: {
            /**
             * @description Address that receives the deliveries: `https`, with a public host. One webhook per company and address; stored in its normal form.
             * @example https://erp.obra.example/obra
             */
            url: string;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. If sent, it must be the active company.
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Changes that are delivered. Default: all.
             * @example [
             *       "contracts.created",
             *       "contracts.updated"
             *     ]
             */
            events?: ("contrapartes.created" | "contrapartes.updated" | "contrapartes.deleted" | "contracts.created" | "contracts.updated" | "contracts.deleted" | "estimates.created" | "estimates.updated" | "estimates.deleted")[];
            /**
             * @description Description.
             * @example ERP
             */
            descripcion?: string;
            /**
             * @description Most changes in one delivery. Above 1, `data` of a delivery is a list.
             * @example 1
             */
            batch?: number;
            /** @description Whether changes are delivered. The service switches it off after five days of failures, or after an answer 410. */
            activo?: boolean;
            /**
             * @description Read-only. Accepted and ignored.
             * @example null
             */
            readonly motivo_inactivo?: unknown;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly secret?: unknown;
        };
        CreatedWebhook: {
            /** @example 7 */
            id: number;
            /**
             * @description Id of the company of the webhook.
             * @example 7
             */
            company: number;
            /**
             * @description Address that receives the deliveries: `https`, with a public host. One webhook per company and address; stored in its normal form.
             * @example https://erp.obra.example/obra
             */
            url: string;
            /**
             * @description Changes that are delivered. Default: all.
             * @example [
             *       "contracts.created",
             *       "contracts.updated"
             *     ]
             */
            events: ("contrapartes.created" | "contrapartes.updated" | "contrapartes.deleted" | "contracts.created" | "contracts.updated" | "contracts.deleted" | "estimates.created" | "estimates.updated" | "estimates.deleted")[];
            /**
             * @description Description.
             * @example ERP
             */
            descripcion: string;
            /**
             * @description Most changes in one delivery. Above 1, `data` of a delivery is a list.
             * @example 1
             */
            batch: number;
            /** @description Whether changes are delivered. The service switches it off after five days of failures, or after an answer 410. */
            activo: boolean;
            /**
             * @description Why the service has switched the webhook off. Null if it has not.
             * @example null
             */
            motivo_inactivo: string | null;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-03-01T15:04:05.123456Z
             */
            updated_at: string;
            /**
             * @description Version, which grows with each change of the record.
             * @example 3
             */
            version: number;
            /**
             * @description Secret that signs the deliveries (Standard Webhooks). Shown only once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        /**
         * @example {
         *       "activo": true
         *     }
         */
        WebhookPatch: {
            /**
             * @description Read-only. Accepted and ignored.
             * @example 7
             */
            readonly id?: unknown;
            /**
             * @description Read-only. If sent, it must be the active company.
             * @example 7
             */
            readonly company?: unknown;
            /**
             * @description Address that receives the deliveries: `https`, with a public host. One webhook per company and address; stored in its normal form.
             * @example https://erp.obra.example/obra
             */
            url?: string;
            /**
             * @description Changes that are delivered. Default: all.
             * @example [
             *       "contracts.created",
             *       "contracts.updated"
             *     ]
             */
            events?: ("contrapartes.created" | "contrapartes.updated" | "contrapartes.deleted" | "contracts.created" | "contracts.updated" | "contracts.deleted" | "estimates.created" | "estimates.updated" | "estimates.deleted")[];
            /**
             * @description Description.
             * @example ERP
             */
            descripcion?: string;
            /**
             * @description Most changes in one delivery. Above 1, `data` of a delivery is a list.
             * @example 1
             */
            batch?: number;
            /** @description Whether changes are delivered. The service switches it off after five days of failures, or after an answer 410. */
            activo?: boolean;
            /**
             * @description Read-only. Accepted and ignored.
             * @example null
             */
            readonly motivo_inactivo?: unknown;
            /**
             * @description Id of the record in another system, unique in the company.
             * @example ERP-4711
             */
            external_id?: string | null;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly created_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 2026-03-01T15:04:05.123456Z
             */
            readonly updated_at?: unknown;
            /**
             * @description Read-only. Accepted and ignored.
             * @example 3
             */
            readonly version?: unknown;
            /** @description Read-only. Accepted and ignored. */
            readonly secret?: unknown;
        };
        DeliveryPage: {
            /**
             * @description Number of records on all pages.
             * @example 1
             */
            count: number;
            /**
             * @description URL of the next page. Null on the last page.
             * @example null
             */
            next: string | null;
            /**
             * @description URL of the previous page. Null on the first page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["Delivery"][];
        };
        Delivery: {
            /** @example 7 */
            id: number;
            /**
             * Format: date-time
             * @description Time of the attempt.
             * @example 2026-03-01T15:04:05.123456Z
             */
            created_at: string;
            /**
             * @description Header `webhook-id`: the same for all attempts of a delivery.
             * @example msg_bC3D4xLq0Zt8mO2vJ5sKf9yWnU7hRa1pEiGdTcXoVkM
             */
            webhook_id: string;
            /**
             * @description Types of the events.
             * @example [
             *       "contracts.updated"
             *     ]
             */
            events: ("contrapartes.created" | "contrapartes.updated" | "contrapartes.deleted" | "contracts.created" | "contracts.updated" | "contracts.deleted" | "estimates.created" | "estimates.updated" | "estimates.deleted" | "ping")[];
            /**
             * @description Records of the events, in their order. Empty for a ping.
             * @example [
             *       {
             *         "resource": "contracts",
             *         "id": 57
             *       }
             *     ]
             */
            records: {
                resource: string;
                /** @example 7 */
                id: number;
            }[];
            /** @description Number of the attempt. */
            intento: number;
            /**
             * @description Status of the receiver's answer. Null without one.
             * @example 204
             */
            estado_http: number | null;
            /**
             * @description Duration in ms.
             * @example 48
             */
            duracion_ms: number;
            /**
             * @description First kilobyte of the receiver's answer.
             * @example
             */
            respuesta: string;
            /**
             * @description Why there is no answer. Null with one.
             * @example null
             */
            error: string | null;
        };
        Replay: {
            /**
             * Format: date-time
             * @description Revision or time after which deliveries begin.
             * @example 2026-03-01T00:00:00Z
             */
            since: number | string;
        };
        Continuation: {
            /**
             * @description Deliveries continue with the changes after this revision.
             * @example 1042
             */
            revision: number;
        };
        /** @description The process is alive. Nothing else was checked. */
        Live: {
            /**
             * @description The process responds.
             * @constant
             */
            status: "ok";
        };
        /** @description The process can serve requests. */
        Ready: {
            /** @constant */
            status: "ok";
            checks: {
                /**
                 * @description `ok` if the database responds in time.
                 * @enum {string}
                 */
                database: "ok" | "failed";
                /**
                 * @description `ok` if all migrations of this version have run; `failed` also if the database does not respond.
                 * @enum {string}
                 */
                migrations: "ok" | "failed";
                /**
                 * @description `failed` while the process shuts down.
                 * @enum {string}
                 */
                serving: "ok" | "failed";
            };
        };
        /** @description The process cannot serve requests. `checks` has the reason; `Retry-After` says when to check again. */
        NotReady: {
            /** @constant */
            status: "unavailable";
            checks: {
                /**
                 * @description `ok` if the database responds in time.
                 * @enum {string}
                 */
                database: "ok" | "failed";
                /**
                 * @description `ok` if all migrations of this version have run; `failed` also if the database does not respond.
                 * @enum {string}
                 */
                migrations: "ok" | "failed";
                /**
                 * @description `failed` while the process shuts down.
                 * @enum {string}
                 */
                serving: "ok" | "failed";
            };
        };
        /**
         * @description Code of a problem for programs, the same in every language. Messages of the same kind share a code.
         * @enum {string}
         */
        ProblemCode: "below_authorized" | "blank" | "combining_marks" | "company_mismatch" | "company_unreachable" | "conflict" | "contract_cancelled" | "contract_closed" | "currency_in_use" | "customer_required" | "deductions_too_large" | "derived_too_large" | "does_not_exist" | "end_before_start" | "exceeds_contract" | "has_memberships" | "immutable" | "incorrect_type" | "invalid" | "invalid_choice" | "invalid_cursor" | "invalid_transition" | "invoice_taken" | "last_superusuario" | "level_above_own" | "malformed" | "max_decimal_places" | "max_length" | "max_value" | "max_whole_digits" | "min_length" | "min_value" | "more_problems" | "not_a_dict" | "not_a_list" | "not_utf8" | "null" | "null_characters_not_allowed" | "other_customer" | "parent_cycle" | "parent_depth" | "parse_error" | "password_incorrect" | "password_unused" | "period_incomplete" | "period_overlaps" | "repeated" | "required" | "too_many" | "unique" | "unknown_field" | "unknown_parameter" | "url_address" | "url_credentials" | "url_fragment" | "url_port" | "url_scheme";
        /** @description Problems of a request. */
        ValidationError: {
            /** @description General message in the language of the request. */
            detail: string;
            /** @description Messages by field, such as `folio`, or `items.3.folio` for an item of a list. Other messages are under `non_field_errors`. */
            errors: {
                [key: string]: string[];
            };
            /** @description Codes by field, in the order of the messages in `errors`. */
            codes: {
                [key: string]: components["schemas"]["ProblemCode"][];
            };
        };
        /** @description Why a request was refused. */
        Problem: {
            /** @description Message in the language of the request. */
            detail: string;
            /** @description Error code for programs, the same in every language. */
            code: string;
        };
        /** @description Why a token was refused. */
        TokenProblem: {
            /** @description Message in the language of the request. */
            detail: string;
            /** @description Error code for programs, the same in every language. */
            code: string;
            /** @description With the code `token_not_valid`: the problem of the token. */
            messages?: {
                /** @constant */
                token_class: "AccessToken";
                /** @constant */
                token_type: "access";
                message: string;
            }[];
        };
        /** @description Why a cursor cannot be continued. */
        ResyncProblem: {
            /** @description Message in the language of the request. */
            detail: string;
            /** @description Error code for programs, the same in every language. */
            code: string;
            /** @enum {string} */
            reason: "truncated" | "forked" | "schema";
        };
        /** @description Why a bulk was refused. `detail` and `code` are of the first conflict. If items are the cause, `errors` lists the conflicts of all items. */
        BulkProblem: {
            /** @description Message in the language of the request. */
            detail: string;
            /** @description Error code for programs, the same in every language. */
            code: string;
            /** @description Messages by item, such as `items.3`. */
            errors?: {
                [key: string]: string[];
            };
            /** @description Codes by field, in the order of the messages in `errors`. */
            codes?: {
                [key: string]: components["schemas"]["ProblemCode"][];
            };
        };
    };
    responses: {
        /** @description Validation error. `errors` lists the problems by field, `codes` their codes. */
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
        /** @description Missing or invalid access token. */
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
        /** @description The caller's level does not allow this operation. */
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
        /** @description The caller's level in the active company does not allow this operation, or the caller has no active company. */
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
        /** @description The device belongs to another user or company, the user has too many devices, or no active company. */
        ForbiddenToDevice: {
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
                    code: "device_taken" | "too_many_devices" | "no_active_company";
                };
            };
        };
        /** @description No such record within the caller's reach. */
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
        /** @description No such page. */
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
        /** @description `Accept` excludes JSON. */
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
        /** @description The state of the record forbids the change, or a request with the same `Idempotency-Key` is still running. */
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
        /** @description The state of some records forbids the change; `errors` names their items. */
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
        /** @description Other records refer to the record, or its state forbids the deletion. */
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
        /** @description The service needs the record unchanged, or another request changed it at the same time. */
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
        /** @description No delivery of the webhook fails. */
        NothingFails: {
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
        /** @description The cursor belongs to another company than the active one. */
        CompanyChanged: {
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
                    code: "company_changed";
                };
            };
        };
        /** @description The cursor belongs to another company than the active one, or the device has too many results that it has not acknowledged. */
        DeviceConflict: {
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
                    code: "company_changed" | "too_many_results";
                };
            };
        };
        /** @description The cursor cannot be continued: its changes are purged (`truncated`), the database was restored (`forked`), or a release changed the records (`schema`). */
        Resync: {
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
                "application/json": components["schemas"]["ResyncProblem"] & {
                    /** @enum {string} */
                    code: "resync";
                };
            };
        };
        /** @description The record has changed since the version in `If-Match`. */
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
        /** @description The request body is larger than the limit of the operation. */
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
        /** @description The request body is not `application/json`, not UTF-8 or compressed. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Content-Language": components["headers"]["Content-Language"];
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "unsupported_media_type";
                };
            };
        };
        /** @description This `Idempotency-Key` was used with another request. */
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
        /** @description Limit exceeded: requests in this minute of the user, or of the address without a live session; or requests of the user or customer that are open at the same time. */
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
        /** @description Server error, logged with the `X-Request-Id`. */
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
        /** @description The server is overloaded or cannot reach its database. */
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
         * @description Id of the request for logs. The answer has this id, or a generated one.
         * @example erp-20260301-0042
         */
        RequestId: string;
        /**
         * @description ETags of answers that the client has. If one still matches, the answer is 304.
         * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
         */
        IfNoneMatch: string;
        /**
         * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
         * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
         */
        IfMatch: string;
        /**
         * @description `wait=N`: if there is no change, wait up to N seconds for one, at most 30.
         * @example wait=30
         */
        Prefer: string;
        /**
         * @description `id` of the last event that the client has.
         * @example hNj8z1.1..t5.hofx3v48nc.t5.a-2f-6
         */
        LastEventId: string;
        /**
         * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
         * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Id of the request in the log: the one that the client sent, or a generated one.
         * @example erp-20260301-0042
         */
        "X-Request-Id": string;
        /**
         * @description Private caches may store the answer, and must revalidate it before each use.
         * @example private, no-cache
         */
        "Cache-Control": string;
        /**
         * @description Request headers that affect the answer.
         * @example Authorization, Accept, Accept-Encoding, Accept-Language
         */
        Vary: string;
        /**
         * @description Language of the messages in the answer, by `Accept-Language`.
         * @example es
         */
        "Content-Language": "en" | "es";
        /**
         * @description Version of the answer, for `If-None-Match` and `If-Match`.
         * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
         */
        ETag: string;
        /**
         * @description Present if the request had `Prefer: wait`.
         * @example wait
         */
        "Preference-Applied": "wait";
        /**
         * @description Keeps proxies from buffering the events.
         * @example no
         */
        "X-Accel-Buffering": "no";
        /**
         * @description URL of the new record.
         * @example https://obra.example.mx/api/v1/contracts/7/
         */
        Location: string;
        /**
         * @description Present if this is the stored answer to an earlier request with the same `Idempotency-Key`.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description Authentication scheme.
         * @example Bearer realm="api"
         */
        "WWW-Authenticate": string;
        /**
         * @description Requests per minute that the user may make. Only with a token.
         * @example 6000
         */
        "RateLimit-Limit": number;
        /**
         * @description Requests left in this minute.
         * @example 5987
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the next minute.
         * @example 42
         */
        "RateLimit-Reset": number;
        /**
         * @description Present if the body was compressed.
         * @example identity
         */
        "Accept-Encoding": "identity";
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
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
            /** @description Success. */
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
            /** @description Wrong credentials or invalid token. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
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
            /** @description Success, without a body. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
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
            /** @description Success. */
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
            /** @description Wrong credentials or invalid token. */
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
    listChanges: {
        parameters: {
            query?: {
                /** @description Where the last page ended. Without it, the feed begins with a snapshot. */
                cursor?: string;
                /**
                 * @description A device that sends mutations. Records that it has created come with their `ref`.
                 * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
                 */
                device?: string;
                /**
                 * @description Changes per page, 1 to 1000. Default: 500.
                 * @example 500
                 */
                page_size?: number;
                /**
                 * @description Comma-separated resources. Default: all. A cursor keeps those of its first page.
                 * @example [
                 *       "contrapartes",
                 *       "contracts",
                 *       "estimates"
                 *     ]
                 */
                resources?: ("contrapartes" | "contracts" | "estimates")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description `wait=N`: if there is no change, wait up to N seconds for one, at most 30.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                };
            };
            /** @description Not modified: the answer still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["CompanyChanged"];
            410: components["responses"]["Resync"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamRevisions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description `id` of the last event that the client has.
                 * @example hNj8z1.1..t5.hofx3v48nc.t5.a-2f-6
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "X-Accel-Buffering": components["headers"]["X-Accel-Buffering"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: hNj8z1.1..t5.hofx3v48nc.t5.a-2f-6
                     *     event: revision
                     *     data: {"revision":1043}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["CompanyChanged"];
            410: components["responses"]["Resync"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanies: {
        parameters: {
            query?: {
                /**
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description Words that must all occur. Case, accents and dots are ignored.
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description Records changed at or after this time.
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
                /**
                 * @description Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "customer" | "-customer" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description Comma-separated fields to return. Default: all.
                 * @example [
                 *       "id",
                 *       "nombre"
                 *     ]
                 */
                fields?: ("id" | "nombre" | "customer" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description Id of the record.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Comma-separated fields to return. Default: all.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description Words that must all occur. Case, accents and dots are ignored.
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description Records changed at or after this time.
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
                /**
                 * @description Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "folio" | "-folio" | "contraparte" | "-contraparte" | "monto" | "-monto" | "moneda" | "-moneda" | "fecha_inicio" | "-fecha_inicio" | "fecha_fin" | "-fecha_fin" | "estado" | "-estado" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description Comma-separated fields to return. Default: all.
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "folio" | "contraparte" | "contraparte_id" | "monto" | "parent" | "moneda" | "fecha_inicio" | "fecha_fin" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "estado" | "external_id" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description Contracts with exactly this folio.
                 * @example ON-2026-001
                 */
                folio?: string;
                /**
                 * @description Id or exact name of the counterparty, or `null` for contracts without one. Digits count as an id.
                 * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
                 */
                contraparte?: string;
                /**
                 * @description Exact name of the counterparty, even if it consists of digits or is `null`.
                 * @example Cimentaciones Profundas del Bajío, S.A. de C.V.
                 */
                contraparte_nombre?: string;
                /**
                 * @description Contracts with at least this amount.
                 * @example 1500.00
                 */
                monto_min?: string;
                /**
                 * @description Contracts with at most this amount.
                 * @example 1500.00
                 */
                monto_max?: string;
                /**
                 * @description Id of the parent contract, or `null` for main contracts.
                 * @example null
                 */
                parent?: string;
                /** @description Contracts in this currency. */
                moneda?: "MXN" | "USD" | "EUR";
                /** @description Contracts in this state. */
                estado?: "vigente" | "suspendido" | "terminado" | "cancelado";
                /**
                 * @description The contract with exactly this external id.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Comma-separated fields to return. Default: all.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                /** @description Depth below the contract. Default: unlimited. */
                depth?: number;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description Words that must all occur. Case, accents and dots are ignored.
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description Records changed at or after this time.
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
                /**
                 * @description Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "rfc" | "-rfc" | "tipo" | "-tipo" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description Comma-separated fields to return. Default: all.
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "nombre" | "rfc" | "rfc_warning" | "tipo" | "email" | "telefono" | "direccion" | "notas" | "activo" | "external_id" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description Counterparties with this RFC.
                 * @example XAXX010101000
                 */
                rfc?: string;
                /** @description Counterparties of this kind. */
                tipo?: "cliente" | "proveedor" | "subcontratista" | "otro";
                /** @description Active (`true`) or inactive (`false`) counterparties. */
                activo?: boolean;
                /**
                 * @description The counterparty with exactly this external id.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Comma-separated fields to return. Default: all.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description Words that must all occur. Case, accents and dots are ignored.
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description Records changed at or after this time.
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
                /**
                 * @description Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "nombre" | "-nombre" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description Comma-separated fields to return. Default: all.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Comma-separated fields to return. Default: all.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description Words that must all occur. Case, accents and dots are ignored.
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description Records changed at or after this time.
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
                /**
                 * @description Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "contract" | "-contract" | "numero" | "-numero" | "periodo_inicio" | "-periodo_inicio" | "periodo_fin" | "-periodo_fin" | "monto" | "-monto" | "estado" | "-estado" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description Comma-separated fields to return. Default: all.
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "contract" | "contract_folio" | "numero" | "periodo_inicio" | "periodo_fin" | "descripcion" | "monto" | "deductivas" | "estado" | "motivo_rechazo" | "factura_uuid" | "anticipo_porcentaje" | "retencion_porcentaje" | "iva_porcentaje" | "amortizacion" | "retencion" | "subtotal" | "iva" | "neto" | "monto_acumulado" | "external_id" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description Id of the contract.
                 * @example 1
                 */
                contract?: string;
                /**
                 * @description Estimates whose period starts on or after this day.
                 * @example 2026-03-01
                 */
                periodo_desde?: string;
                /**
                 * @description Estimates whose period ends on or before this day.
                 * @example 2026-03-01
                 */
                periodo_hasta?: string;
                /** @description Estimates in this state. */
                estado?: "borrador" | "enviada" | "autorizada" | "pagada" | "rechazada" | "cancelada";
                /**
                 * @description Estimates with this invoice, also rejected and cancelled ones.
                 * @example 6128396f-c09b-4ec6-8699-43c5f7e3b230
                 */
                factura_uuid?: string;
                /**
                 * @description The estimate with exactly this external id.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Comma-separated fields to return. Default: all.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 6
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 6
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
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
            /** @description Success, without a body. */
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
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description Words that must all occur. Case, accents and dots are ignored.
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description Records changed at or after this time.
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
                /**
                 * @description Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "user" | "-user" | "company" | "-company" | "nivel_acceso" | "-nivel_acceso" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description Comma-separated fields to return. Default: all.
                 * @example [
                 *       "id",
                 *       "user"
                 *     ]
                 */
                fields?: ("id" | "user" | "company" | "nivel_acceso" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description Id of the record.
                 * @example 7
                 */
                user?: string;
                /**
                 * @description Id of the record.
                 * @example 7
                 */
                company?: string;
                /**
                 * @description Memberships of this level: 1, 2 or 3.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Comma-separated fields to return. Default: all.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
    sendMutations: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Mutations"];
            };
        };
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["MutationResults"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToDevice"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DeviceConflict"];
            410: components["responses"]["Resync"];
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
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description Words that must all occur. Case, accents and dots are ignored.
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description Records changed at or after this time.
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
                /**
                 * @description Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "email" | "-email" | "nombre" | "-nombre" | "customer" | "-customer" | "nivel_acceso" | "-nivel_acceso" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description Comma-separated fields to return. Default: all.
                 * @example [
                 *       "id",
                 *       "email"
                 *     ]
                 */
                fields?: ("id" | "email" | "nombre" | "customer" | "nivel_acceso" | "activo" | "created_at" | "updated_at" | "version")[];
                /**
                 * @description The user with this email address.
                 * @example director@demo.example
                 */
                email?: string;
                /**
                 * @description Id of the customer, or `null` for users without one.
                 * @example 1
                 */
                customer?: string;
                /**
                 * @description Access level of the account, 4 to 6, or `null` for users without one.
                 * @example 4
                 */
                nivel_acceso?: string;
                /** @description Users who can log in (`true`) or cannot (`false`). */
                activo?: boolean;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
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
                 * @description Comma-separated fields to return. Default: all.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description Success. */
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
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /**
                 * @description Words that must all occur. Case, accents and dots are ignored.
                 * @example cimentacion norte
                 */
                search?: string;
                /**
                 * @description Records changed at or after this time.
                 * @example 2026-03-01T15:04:05Z
                 */
                updated_since?: string;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
                /**
                 * @description Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.
                 * @example [
                 *       "id"
                 *     ]
                 */
                ordering?: ("id" | "-id" | "created_at" | "-created_at" | "updated_at" | "-updated_at")[];
                /**
                 * @description Comma-separated fields to return. Default: all.
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "url" | "events" | "descripcion" | "batch" | "activo" | "motivo_inactivo" | "external_id" | "created_at" | "updated_at" | "version")[];
                /** @description Active (`true`) or inactive (`false`) webhooks. */
                activo?: boolean;
                /**
                 * @description The webhook with exactly this external id.
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer and writes nothing, unless the level or customer of the user has changed.
                 * @example 3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBody"];
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
                    "application/json": components["schemas"]["CreatedWebhook"];
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
    retrieveWebhook: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated fields to return. Default: all.
                 * @example [
                 *       "id",
                 *       "company"
                 *     ]
                 */
                fields?: ("id" | "company" | "url" | "events" | "descripcion" | "batch" | "activo" | "motivo_inactivo" | "external_id" | "created_at" | "updated_at" | "version")[];
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBody"];
            };
        };
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["Webhook"];
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
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
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
    partialUpdateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETag of the record that the client read. If the record has changed since, the answer is 412. Changes of other records do not matter.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["Webhook"];
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
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Page number from 1, or `last`.
                 * @example 2
                 */
                page?: string;
                /**
                 * @description Records per page, 1 to 200. Default: 20.
                 * @example 50
                 */
                page_size?: number;
                /** @description Start of the page. Take it only from `next`. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            /** @description Default Response */
            202: {
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
                    "application/json": components["schemas"]["Continuation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
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
                    "application/json": components["schemas"]["Continuation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["NothingFails"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.
                 * @example es
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenInCompany"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Throttled"];
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Service unavailable. */
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
                 * @description Id of the request for logs. The answer has this id, or a generated one.
                 * @example erp-20260301-0042
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description ETags of answers that the client has. If one still matches, the answer is 304.
                 * @example "1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Not modified: the answer still matches `If-None-Match`. */
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
