// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.dialect.Generation;

class TasksBackendTest extends GatewayBackendContract {
    TasksBackendTest() {
        super(Generation.V2025_11_25);
    }
}
