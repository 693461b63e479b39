// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.transport.PrincipalResolver;
import org.jspecify.annotations.Nullable;

class OwnHttpTest extends ServerContract {

    @Override
    Site site(@Nullable PrincipalResolver principals) throws Exception {
        return OwnSite.with(principals);
    }
}
