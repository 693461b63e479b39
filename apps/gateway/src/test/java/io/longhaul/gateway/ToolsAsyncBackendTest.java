// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.dialect.Generation;

class ToolsAsyncBackendTest extends GatewayBackendContract {
    ToolsAsyncBackendTest() {
        super(Generation.TOOLS_ASYNC);
    }
}
