// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

/** An API that names the address of an operation in a header. */
class OperationApiTest extends HttpBackendContract {

    OperationApiTest() {
        super(true, HttpBackendContract::operation);
    }
}
