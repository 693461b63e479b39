// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.dialect.Generation;

class ExtensionBackendTest extends GatewayBackendContract {
    ExtensionBackendTest() {
        super(Generation.V2026_07_28);
    }
}
