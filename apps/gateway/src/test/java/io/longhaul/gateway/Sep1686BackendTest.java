// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.dialect.Generation;

class Sep1686BackendTest extends GatewayBackendContract {
    Sep1686BackendTest() {
        super(Generation.SEP_1686);
    }
}
