// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

/** An API whose answers are mapped, and which takes an idempotency key. */
class MappedApiTest extends HttpBackendContract {

    MappedApiTest() {
        super(true, HttpBackendContract::mapped);
    }
}
