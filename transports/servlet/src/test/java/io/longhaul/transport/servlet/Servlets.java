// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.transport.PrincipalResolver;
import org.jspecify.annotations.Nullable;

/** The servlet of a site. */
final class Servlets {

    private Servlets() {}

    static McpServlet with(@Nullable PrincipalResolver principals) {
        var servlet = McpServlet.at("/mcp")
                .keepAlive(Site.KEEP_ALIVE)
                .timeout(Site.TIMEOUT)
                .limits(Site.LIMITS)
                .site(Site.PAGES);
        return principals == null ? servlet.thisMachineOnly() : servlet.principals(principals);
    }
}
