// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.dialect.Generation;

class NextBackendTest extends GatewayBackendContract {
    NextBackendTest() {
        super(Generation.NEXT);
    }
}
