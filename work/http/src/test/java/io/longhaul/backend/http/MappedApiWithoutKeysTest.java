// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

/** An API that starts a job for each request, so that a start is never repeated. */
class MappedApiWithoutKeysTest extends HttpBackendContract {

    MappedApiWithoutKeysTest() {
        super(false, HttpBackendContract::mapped);
    }
}
